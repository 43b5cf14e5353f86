/* SPDX-License-Identifier: MIT */
/* Which level of the API a client was built for, by the symbol versions that it asks for. */
#ifndef WT_DBGAPI_CLIENT_LEVEL_H
#define WT_DBGAPI_CLIENT_LEVEL_H

/** The minor number of a symbol version of the API, as AMD_DBGAPI_0.77; 0 if it is none. */
unsigned int wt_version_minor(const char *version);

/**
 * The newest symbol version of the API that any object of this process asks for, as a minor number: the level of the client, or
 * an older one if it uses nothing that later ones moved. 0: none asks for any, as where a client looks its functions up.
 */
unsigned int wt_client_level(void);

#endif /* WT_DBGAPI_CLIENT_LEVEL_H */
