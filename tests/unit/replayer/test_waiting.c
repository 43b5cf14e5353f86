/* SPDX-License-Identifier: MIT */
/* What is said of packets that wait. */
#include <stdint.h>
#include <string.h>

#include "tests/unit/with-cmocka.h"

#include "replayer/view/waiting.h"

/* A packet as it stands in a ring, from words of 8 bytes. */
static struct wt_waiting_packet packet_of(const uint64_t words[8])
{
	uint8_t bytes[GFX_PACKET_SIZE];

	for (size_t i = 0; i < sizeof(bytes); i++)
		bytes[i] = (uint8_t)(words[i / 8] >> 8 * (i % 8));
	return (struct wt_waiting_packet){.packet = gfx_packet_decode(bytes)};
}

static void assert_said(const struct wt_waiting_packet *packet, const char *wanted)
{
	char text[WT_WAITING_TEXT];

	wt_waiting_describe(packet, text);
	assert_string_equal(text, wanted);
}

static void test_barriers(void **state)
{
	struct wt_waiting_packet packet = packet_of((uint64_t[]){3, 0, 0x1000, 0, 0x2000, 0, 0, 9});

	(void)state;
	packet.signals[1].known = true;
	packet.signals[1].value = -1;
	assert_int_equal(packet.packet.completion, 9);
	assert_said(&packet,
		    "a barrier: waits until each of these signals is 0: 0x1000, 0x2000 (is -1)");
	packet.packet.kind = GFX_PACKET_BARRIER_OR;
	assert_said(&packet,
		    "a barrier: waits until one of these signals is 0: 0x1000, 0x2000 (is -1)");
	packet = packet_of((uint64_t[]){5, 0, 0, 0, 0, 0x3000, 0, 0});
	assert_said(&packet, "a barrier: waits until this signal is 0: 0x3000");
	packet = packet_of((uint64_t[]){3, 0, 0, 0, 0, 0, 0x3000, 0});
	assert_said(&packet, "a barrier without signals");
}

static void test_values(void **state)
{
	struct wt_waiting_packet packet =
		packet_of((uint64_t[]){0x20000, 0x1000, 7, UINT64_MAX, 1, 0, 0, 0});

	(void)state;
	packet.signals[0].known = true;
	packet.signals[0].value = 7;
	assert_said(&packet, "a barrier: waits until this signal != 7: 0x1000 (is 7)");
	packet = packet_of((uint64_t[]){0x20000, 0x1000, (uint64_t)-7, 0xff, 3, 0, 0, 0});
	assert_said(&packet, "a barrier: waits until this signal & 0xff >= -7: 0x1000");
	packet.packet.condition = 4;
	assert_said(&packet, "a barrier: waits until this signal & 0xff meets an unknown condition "
			     "with -7: 0x1000");
}

static void test_others(void **state)
{
	struct wt_waiting_packet packet = packet_of((uint64_t[]){
		0x0000004000000002, 0x0000010000000001, 0x300000002, 0, 0x5000, 0, 0, 0});

	(void)state;
	assert_int_equal(packet.packet.workgroup[0], 0x40);
	assert_said(&packet, "a kernel of unknown name, descriptor at 0x5000, grid 256 x 2 x 3");
	packet.kernel = "step";
	assert_said(&packet, "kernel step, grid 256 x 2 x 3");
	packet = packet_of((uint64_t[]){1, 2, 3, 4, 5, 6, 7, 8});
	assert_said(&packet, "a slot that was reserved, and nothing written there");
	packet = packet_of((uint64_t[]){0x10000, 2, 3, 4, 5, 6, 7, 8});
	assert_said(&packet, "a packet of type 0");
	packet = packet_of((uint64_t[]){0xff, 2, 3, 4, 5, 6, 7, 8});
	assert_said(&packet, "a packet of type 255");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_barriers),
		cmocka_unit_test(test_values),
		cmocka_unit_test(test_others),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
