/* SPDX-License-Identifier: MIT */
// All of the page, from its top.

showNotices();
showCrash();
showTimeline();
if (stops.length)
	showStop(head.stop || stops[stops.length - 1].stop);
else
	showMap();
showJournal();
showHost();
showMissing();
