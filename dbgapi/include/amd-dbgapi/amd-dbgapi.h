/* SPDX-License-Identifier: MIT */
/*
 * The AMD GPU debugger API ("dbgapi"), at level 0.77, the newest of a released ROCm, or at the one that
 * AMD_DBGAPI_LEVEL names.
 *
 * With it a client - a debugger, a profiler, a crash recorder - inspects and controls the AMD GPU
 * side of a process: its devices, queues and dispatches, its waves, why they have stopped, and
 * their registers and memory. Names, values, types and layouts are those of AMD's library, so that
 * a client compiled with this header runs with AMD's library and with each of ours, and a client
 * compiled with AMD's header, too.
 *
 * What every function has in common
 * ---------------------------------
 *
 * Order of use. amd_dbgapi_initialize comes first and amd_dbgapi_finalize last. Only four functions
 * may be called before and after: amd_dbgapi_get_version, amd_dbgapi_get_build_name,
 * amd_dbgapi_get_status_string and amd_dbgapi_set_log_level.
 *
 * Statuses. In the lists below the prefix AMD_DBGAPI_STATUS_ is left out. Two statuses are possible
 * everywhere but in those four:
 * - ERROR_NOT_INITIALIZED: no amd_dbgapi_initialize before. It is checked before any argument.
 * - FATAL: the library cannot continue, or a lower layer failed in a way for which the function has
 *   no status. The call has no usable result; detach and finalize. A function that is not
 *   implemented returns ERROR_NOT_IMPLEMENTED instead.
 *
 * Outputs. Unless a status says otherwise, an output is written on SUCCESS only, and on every other
 * status all outputs are as they were.
 *
 * Memory. Memory that is "allocated for the client" - strings, arrays, instruction text - comes
 * from the client's allocate_memory callback. The client owns it and frees it (a client whose
 * callback is malloc calls free). The library keeps no pointer to it. The library does not access
 * memory of the client after a call has returned; it keeps copies of the callbacks and of the
 * client's opaque handles.
 *
 * Handles. Each kind of object has its own handle type: a 64-bit number in a struct, so that
 * compilers tell the kinds apart. 0 is the null handle of every kind. Numbers count up from 1 and
 * are not used again for another object until the library is finalized; architectures, register
 * classes, registers, address classes and address spaces are fixed for an architecture. A handle is
 * valid while its object exists: waves, dispatches and workgroups end by themselves, code objects
 * are unloaded, queues are destroyed. A call with the handle of an object that no longer exists, or
 * with a null handle, returns the ERROR_INVALID_... status of its kind.
 *
 * Queries. The ..._get_info functions return one value, whose type is documented with the query.
 * @value_size must be exactly the size of that type, which detects clients that were built for
 * another type. Checks are in this order: the handle; for some queries of a wave, whether it is
 * stopped; the query; whether the value is available; NULL; the size. So NULL with a wrong size is
 * ERROR_INVALID_ARGUMENT, and a value that is not available is ERROR_NOT_AVAILABLE whatever the
 * size. A value of an enumeration is returned in a uint32_t, as the query says.
 *
 * Lists. The ..._list functions for the objects of a process return a snapshot. The order of a list
 * has no meaning and may differ from call to call. Each process has a flag "changed" for each kind
 * of object, which is set when an object is created or destroyed:
 * - with @changed NULL the list is returned, and the flag is neither read nor cleared;
 * - with @changed not NULL and the flag set, @changed is set to AMD_DBGAPI_CHANGED_YES, the list is
 *   returned and the flag is cleared; if the flag is not set, @changed is set to
 *   AMD_DBGAPI_CHANGED_NO, the list to NULL and the count to 0.
 *
 * The flag is not one for each caller: a second component in the same client must pass NULL.
 *
 * Events. What happens on the device is queued as events of the process; there are no callbacks for
 * it. See "Events" below for the notifier, and "Waves" for how events change the state of a wave
 * that the client sees.
 *
 * Threads. The library has no locks: one thread at a time may be in it. Callbacks are made on the
 * calling thread, before the function returns, and must not call the library.
 *
 * Numbers are in the byte order of the host; addresses and sizes are in bytes.
 */
#ifndef AMD_DBGAPI_H
#define AMD_DBGAPI_H 1

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/*
 * The level
 *
 * AMD's library changes with ROCm, and what changes moves to a new symbol version: a client is of
 * the level of the header it was compiled with, and runs on a library of that level, or of another
 * that has moved nothing of what it uses. -DAMD_DBGAPI_LEVEL=71 makes this the header of level
 * 0.71. Without it this is the header of level 0.77, so that what is compiled with it runs on AMD's
 * libraries, too. -DAMD_DBGAPI_LEVEL_NEWEST, which a library that serves all levels is compiled
 * with, makes it that of the newest level, and asks for no symbol versions. The levels are 56 (ROCm 4.5), 62 (5.0), 64 (5.1), 65 (5.2), 67 (5.3), 68 (5.4), 70 (5.5 to
 * 5.7), 71 (6.0, 6.1), 76 (6.2), 77 (6.3 to 7.2), 78, 79, 80 (7.13 preview), 81 and 82. Of the last
 * two AMD's list of changes is known, and no released header. 0.82 has three queries more whose
 * numbers are not known: CLUSTER_MODE and CLUSTER_SIZES of a dispatch, and CLUSTERS_SUPPORTED of an
 * architecture.
 */
#if !defined(AMD_DBGAPI_LEVEL) && defined(AMD_DBGAPI_LEVEL_NEWEST)
#define AMD_DBGAPI_LEVEL 82
#else
#if !defined(AMD_DBGAPI_LEVEL)
#define AMD_DBGAPI_LEVEL 77
#elif AMD_DBGAPI_LEVEL < 56 || AMD_DBGAPI_LEVEL > 82
#error "AMD_DBGAPI_LEVEL is none of the levels from 56 to 82"
#endif
/* The symbols are those of the level, also where the library has newer ones: see the end. */
#define AMD_DBGAPI_LEVEL_CHOSEN 1
#endif

/* A number that was another one before a level. */
#define AMD_DBGAPI_SINCE(level, number, before) (AMD_DBGAPI_LEVEL >= (level) ? (number) : (before))

/* A calling convention for all functions, for platforms that want one. */
#if !defined(AMD_DBGAPI_CALL)
#define AMD_DBGAPI_CALL
#endif

/* How functions are marked in the library itself, and in clients. Each may be set from outside. */
#if !defined(AMD_DBGAPI_EXPORT_DECORATOR)
#define AMD_DBGAPI_EXPORT_DECORATOR __attribute__((visibility("default")))
#endif
#if !defined(AMD_DBGAPI_IMPORT_DECORATOR)
#define AMD_DBGAPI_IMPORT_DECORATOR
#endif
#define AMD_DBGAPI_EXPORT AMD_DBGAPI_EXPORT_DECORATOR AMD_DBGAPI_CALL
#define AMD_DBGAPI_IMPORT AMD_DBGAPI_IMPORT_DECORATOR AMD_DBGAPI_CALL

/* Marks each function below. The library that defines them sets AMD_DBGAPI_EXPORTS first. */
#if !defined(AMD_DBGAPI)
#if defined(AMD_DBGAPI_EXPORTS)
#define AMD_DBGAPI AMD_DBGAPI_EXPORT
#else
#define AMD_DBGAPI AMD_DBGAPI_IMPORT
#endif
#endif

/* A handle of a given type with a given number, as an expression. */
#if defined(__cplusplus)
#define AMD_DBGAPI_HANDLE_LITERAL(type, value) (type{value})
#else
#define AMD_DBGAPI_HANDLE_LITERAL(type, value) ((type){value})
#endif

/* Marks older names of an enumerator. Only C++17 lets an enumerator carry it. */
#if defined(__cplusplus) && __cplusplus >= 201703L
#define AMD_DBGAPI_DEPRECATED [[deprecated]]
#else
#define AMD_DBGAPI_DEPRECATED
#endif

/*
 * The symbol version of each function at the newest level, written behind its declaration: the one
 * at which it last changed its contract, and the name of its version node in the library
 * (AMD_DBGAPI_0.54 and so on).
 */
#define AMD_DBGAPI_VERSION_0_54
#define AMD_DBGAPI_VERSION_0_56
#define AMD_DBGAPI_VERSION_0_58
#define AMD_DBGAPI_VERSION_0_62
#define AMD_DBGAPI_VERSION_0_64
#define AMD_DBGAPI_VERSION_0_67
#define AMD_DBGAPI_VERSION_0_68
#define AMD_DBGAPI_VERSION_0_70
#define AMD_DBGAPI_VERSION_0_76
#define AMD_DBGAPI_VERSION_0_77
#define AMD_DBGAPI_VERSION_0_78
#define AMD_DBGAPI_VERSION_0_79
#define AMD_DBGAPI_VERSION_0_80
#define AMD_DBGAPI_VERSION_0_81
#define AMD_DBGAPI_VERSION_0_82

#if defined(__cplusplus)
extern "C" {
#endif

/*
 * Basic types
 *
 * Plain numbers and the opaque pointers by which a client names its own objects.
 */

/** The functions of the client that the library calls. Defined at the end of this header. */
typedef struct amd_dbgapi_callbacks_s amd_dbgapi_callbacks_t;

/** An address in memory that the host and all devices of a process see alike. */
typedef uint64_t amd_dbgapi_global_address_t;

/** A size or an offset in bytes, unless a parameter says otherwise. */
typedef uint64_t amd_dbgapi_size_t;

/** Whether a list has changed since it was last fetched. See "Lists" at the top. */
typedef enum {
	/** The list has not changed. */
	AMD_DBGAPI_CHANGED_NO = 0,
	/** The list has changed. */
	AMD_DBGAPI_CHANGED_YES = 1
} amd_dbgapi_changed_t;

/** The operating system's id of a process: on Linux, its process id. */
typedef pid_t amd_dbgapi_os_process_id_t;

/**
 * A notifier, on which a client waits to learn of new events: on Linux, a file descriptor for poll,
 * select or epoll, readable when events may be pending. It is non-blocking and closed on exec. The
 * library owns it and closes it at detach. "Events" says how to use it.
 */
typedef int amd_dbgapi_notifier_t;

/**
 * The operating system's id of a device: on Linux, the gpu_id in the topology of the kernel driver.
 */
typedef uint64_t amd_dbgapi_os_agent_id_t;

/**
 * The operating system's id of a queue. Unique among the queues that a process has at one time, but
 * reused.
 */
typedef uint64_t amd_dbgapi_os_queue_id_t;

/**
 * The number of a packet in its queue. Packets are numbered from 0 in the order in which they are
 * written and numbers are never reused; the index in the ring is the number modulo the capacity of
 * the ring in packets.
 */
typedef uint64_t amd_dbgapi_os_queue_packet_id_t;

/** The kind of a queue, and with it the format of its packets. */
typedef enum {
	/** The library does not know this kind. */
	AMD_DBGAPI_OS_QUEUE_TYPE_UNKNOWN = 0,
#if AMD_DBGAPI_LEVEL >= 68
	/**
	 * Architected queueing language, as HSA defines it: packets of 64 bytes. The only kind from
	 * which dispatches come.
	 */
	AMD_DBGAPI_OS_QUEUE_TYPE_HSA_AQL = 1,
#else
	/** Packets of HSA's queueing language, which any number of threads may write. */
	AMD_DBGAPI_OS_QUEUE_TYPE_HSA_KERNEL_DISPATCH_MULTIPLE_PRODUCER = 1,
	/** The same, with a single thread that writes packets. */
	AMD_DBGAPI_OS_QUEUE_TYPE_HSA_KERNEL_DISPATCH_SINGLE_PRODUCER = 2,
	/** The same, for dispatches whose workgroups run all at once. */
	AMD_DBGAPI_OS_QUEUE_TYPE_HSA_KERNEL_DISPATCH_COOPERATIVE = 3,
#endif
	/** AMD's command processor packets. */
	AMD_DBGAPI_OS_QUEUE_TYPE_AMD_PM4 = 0x101,
	/** Copies by a DMA engine. */
	AMD_DBGAPI_OS_QUEUE_TYPE_AMD_SDMA = 0x201,
	/** Copies by a DMA engine made for the links between devices. */
	AMD_DBGAPI_OS_QUEUE_TYPE_AMD_SDMA_XGMI = 0x202
} amd_dbgapi_os_queue_type_t;

/* Statuses */

/** The status that a function or a callback returns. 0 is success and all others are negative. */
typedef enum {
	/** Done. */
	AMD_DBGAPI_STATUS_SUCCESS = 0,
	/** The call failed, for a reason that has no status of its own. */
	AMD_DBGAPI_STATUS_ERROR = -1,
	/** The library cannot go on. See "Statuses" at the top. */
	AMD_DBGAPI_STATUS_FATAL = -2,
	/** The library does not implement the function or query. */
	AMD_DBGAPI_STATUS_ERROR_NOT_IMPLEMENTED = -3,
	/** The value exists in general, but not for this object or not now. */
	AMD_DBGAPI_STATUS_ERROR_NOT_AVAILABLE = -4,
	/** The device or the kind of object cannot do this. */
	AMD_DBGAPI_STATUS_ERROR_NOT_SUPPORTED = -5,
	/** An argument is invalid: NULL where it may not be, or out of range. */
	AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT = -6,
	/** Each argument is valid, but they do not fit each other. */
	AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT_COMPATIBILITY = -7,
	/** A second initialization without a finalization between. */
	AMD_DBGAPI_STATUS_ERROR_ALREADY_INITIALIZED = -8,
	/** The library is not initialized. */
	AMD_DBGAPI_STATUS_ERROR_NOT_INITIALIZED = -9,
	/**
	 * Debugging is not possible here: the driver, the device firmware or the runtime in the
	 * process is missing or has an unsupported version, or another debugger is attached to the
	 * process.
	 */
	AMD_DBGAPI_STATUS_ERROR_RESTRICTION = -10,
	/** The process is attached already. */
	AMD_DBGAPI_STATUS_ERROR_ALREADY_ATTACHED = -11,
	/** No such architecture. */
	AMD_DBGAPI_STATUS_ERROR_INVALID_ARCHITECTURE_ID = -12,
	/**
	 * The bytes are not an instruction of the architecture, or one that the operation does not
	 * support.
	 */
	AMD_DBGAPI_STATUS_ERROR_ILLEGAL_INSTRUCTION = -13,
	/** No such code object (any more). */
	AMD_DBGAPI_STATUS_ERROR_INVALID_CODE_OBJECT_ID = -14,
	/** No architecture has this number. */
	AMD_DBGAPI_STATUS_ERROR_INVALID_ELF_AMDGPU_MACHINE = -15,
	/** No such attached process. */
	AMD_DBGAPI_STATUS_ERROR_INVALID_PROCESS_ID = -16,
	/**
	 * The process has ended. Returned by callbacks; functions treat its objects as no longer
	 * existing.
	 */
	AMD_DBGAPI_STATUS_ERROR_PROCESS_EXITED = -17,
	/** No such agent. */
	AMD_DBGAPI_STATUS_ERROR_INVALID_AGENT_ID = -18,
	/** No such queue (any more). */
	AMD_DBGAPI_STATUS_ERROR_INVALID_QUEUE_ID = -19,
	/** No such dispatch (any more). */
	AMD_DBGAPI_STATUS_ERROR_INVALID_DISPATCH_ID = -20,
	/** No such wave (any more). */
	AMD_DBGAPI_STATUS_ERROR_INVALID_WAVE_ID = -21,
	/** The wave is not in the state STOP. */
	AMD_DBGAPI_STATUS_ERROR_WAVE_NOT_STOPPED = -22,
	/** The wave is in the state STOP already. */
	AMD_DBGAPI_STATUS_ERROR_WAVE_STOPPED = -23,
	/** The wave was asked to stop before, and that event has not been fetched yet. */
	AMD_DBGAPI_STATUS_ERROR_WAVE_OUTSTANDING_STOP = -24,
	/** The wave cannot be resumed in its present state. */
	AMD_DBGAPI_STATUS_ERROR_WAVE_NOT_RESUMABLE = -25,
	/** No such displaced stepping. */
	AMD_DBGAPI_STATUS_ERROR_INVALID_DISPLACED_STEPPING_ID = -26,
	/** All buffers for displaced stepping are in use. */
	AMD_DBGAPI_STATUS_ERROR_DISPLACED_STEPPING_BUFFER_NOT_AVAILABLE = -27,
	/** The wave is in a displaced step. */
	AMD_DBGAPI_STATUS_ERROR_DISPLACED_STEPPING_ACTIVE = -28,
	/** The wave is in a displaced step, and can only be single-stepped. */
	AMD_DBGAPI_STATUS_ERROR_RESUME_DISPLACED_STEPPING = -29,
	/** No such watchpoint. */
	AMD_DBGAPI_STATUS_ERROR_INVALID_WATCHPOINT_ID = -30,
	/** All suitable hardware watchpoints are in use. */
	AMD_DBGAPI_STATUS_ERROR_NO_WATCHPOINT_AVAILABLE = -31,
	/** No such register class. */
	AMD_DBGAPI_STATUS_ERROR_INVALID_REGISTER_CLASS_ID = -32,
	/** No such register. */
	AMD_DBGAPI_STATUS_ERROR_INVALID_REGISTER_ID = -33,
	/** The wave has no such lane. */
	AMD_DBGAPI_STATUS_ERROR_INVALID_LANE_ID = -34,
	/** No such address class. */
	AMD_DBGAPI_STATUS_ERROR_INVALID_ADDRESS_CLASS_ID = -35,
	/** No such address space. */
	AMD_DBGAPI_STATUS_ERROR_INVALID_ADDRESS_SPACE_ID = -36,
	/** No byte could be transferred. */
	AMD_DBGAPI_STATUS_ERROR_MEMORY_ACCESS = -37,
	/** The other address space has no address for the same byte. */
	AMD_DBGAPI_STATUS_ERROR_INVALID_ADDRESS_SPACE_CONVERSION = -38,
	/** No such event, or one that was processed already. */
	AMD_DBGAPI_STATUS_ERROR_INVALID_EVENT_ID = -39,
	/** No such breakpoint of the library. */
	AMD_DBGAPI_STATUS_ERROR_INVALID_BREAKPOINT_ID = -40,
	/** A callback failed, usually allocate_memory by returning NULL. */
	AMD_DBGAPI_STATUS_ERROR_CLIENT_CALLBACK = -41,
	/** The client does not know this client process. Returned by callbacks. */
	AMD_DBGAPI_STATUS_ERROR_INVALID_CLIENT_PROCESS_ID = -42,
	/** There is no symbol for the address. Returned by a symbolizer. */
	AMD_DBGAPI_STATUS_ERROR_SYMBOL_NOT_FOUND = -43,
#if AMD_DBGAPI_LEVEL >= 62
	/** The register exists in the architecture, but not for this wave or not now. */
	AMD_DBGAPI_STATUS_ERROR_REGISTER_NOT_AVAILABLE = -44,
#endif
#if AMD_DBGAPI_LEVEL >= 64
	/** No such workgroup (any more). */
	AMD_DBGAPI_STATUS_ERROR_INVALID_WORKGROUP_ID = -45,
#endif
#if AMD_DBGAPI_LEVEL >= 76
	/** The process is not in the state that the operation needs. */
	AMD_DBGAPI_STATUS_ERROR_INCOMPATIBLE_PROCESS_STATE = -46,
	/** The process is frozen, and this would change it. */
	AMD_DBGAPI_STATUS_ERROR_PROCESS_FROZEN = -47,
	/** The process is frozen already. */
	AMD_DBGAPI_STATUS_ERROR_PROCESS_ALREADY_FROZEN = -48,
	/** The process is not frozen. */
	AMD_DBGAPI_STATUS_ERROR_PROCESS_NOT_FROZEN = -49,
#endif
#if AMD_DBGAPI_LEVEL >= 78
	/** There is such memory, but it cannot be reached now. */
	AMD_DBGAPI_STATUS_ERROR_MEMORY_UNAVAILABLE = -50,
#endif
#if AMD_DBGAPI_LEVEL >= 82
	/** No such cluster (any more). */
	AMD_DBGAPI_STATUS_ERROR_INVALID_CLUSTER_ID = -51,
#endif
} amd_dbgapi_status_t;

/**
 * Get an English sentence for a status. May be called at any time.
 *
 * @status: the status.
 * @status_string: set to a text that belongs to the library: valid as long as the library is
 *   loaded, not to be freed.
 *
 * Return:
 * - SUCCESS: *@status_string is set.
 * - ERROR_INVALID_ARGUMENT: @status is not a status or @status_string is NULL.
 */
amd_dbgapi_status_t AMD_DBGAPI amd_dbgapi_get_status_string(
	amd_dbgapi_status_t status, const char **status_string) AMD_DBGAPI_VERSION_0_54;

/*
 * Versions
 *
 * A library can serve a client if their major versions are equal and its minor version is not lower
 * than the one of the header the client was compiled with.
 */

/** The API level of this header, to compare with the result of amd_dbgapi_get_version. */
#define AMD_DBGAPI_VERSION_MAJOR 0
#define AMD_DBGAPI_VERSION_MINOR AMD_DBGAPI_LEVEL

/**
 * Get the API level of the library. May be called at any time.
 *
 * @major: set to the major version. Each of the three may be NULL.
 * @minor: set to the minor version, which grows with every change of the API.
 * @patch: set to the patch level, which has no meaning for the API.
 */
void AMD_DBGAPI amd_dbgapi_get_version(uint32_t *major, uint32_t *minor,
				       uint32_t *patch) AMD_DBGAPI_VERSION_0_54;

/**
 * Get a text that identifies the build of the library, for reports and logs. May be called at any
 * time.
 *
 * Return: a text that belongs to the library, not to be freed.
 */
const char AMD_DBGAPI *amd_dbgapi_get_build_name(void) AMD_DBGAPI_VERSION_0_54;

/* Life cycle */

/**
 * Initialize the library. After amd_dbgapi_finalize it may be initialized again, with other
 * callbacks.
 *
 * @callbacks: the functions that the library may call. The library copies the table; all entries
 *   must be set.
 *
 * Return:
 * - SUCCESS: the library is initialized.
 * - ERROR_ALREADY_INITIALIZED: it was initialized before. Nothing changes. Checked before
 *   @callbacks.
 * - ERROR_INVALID_ARGUMENT: @callbacks or one of its entries is NULL.
 * - ERROR_CLIENT_CALLBACK: a callback made during the call failed.
 * - FATAL: it is left uninitialized.
 */
amd_dbgapi_status_t AMD_DBGAPI amd_dbgapi_initialize(amd_dbgapi_callbacks_t *callbacks)
	AMD_DBGAPI_VERSION_0_76;

/**
 * Finalize the library: processes are detached as by amd_dbgapi_process_detach, and all handles
 * become invalid. The library is uninitialized afterwards whatever the status. Handle numbers start
 * again from 1 at the next initialization, except those of processes.
 *
 * Return:
 * - SUCCESS: all was released.
 * - ERROR_CLIENT_CALLBACK: a callback made during the call failed.
 * - FATAL or ERROR_NOT_INITIALIZED: as for every function.
 */
amd_dbgapi_status_t AMD_DBGAPI amd_dbgapi_finalize(void) AMD_DBGAPI_VERSION_0_54;

/*
 * Architectures
 *
 * An architecture is what all devices of one kind have in common: gfx90a, gfx942, and so on.
 * Architectures exist as soon as the library is initialized, without any process; they are
 * described by the functions in this section and by those for registers, address classes and
 * address spaces.
 */

/**
 * An architecture. The same architecture has the same number in every run of a library version.
 */
typedef struct {
	uint64_t handle;
} amd_dbgapi_architecture_id_t;

/** The null handle: no architecture. */
#define AMD_DBGAPI_ARCHITECTURE_NONE AMD_DBGAPI_HANDLE_LITERAL(amd_dbgapi_architecture_id_t, 0)

/** The queries of amd_dbgapi_architecture_get_info. */
typedef enum {
	/**
	 * Its name, such as "gfx942".
	 *
	 * Result: char *, allocated for the client.
	 */
	AMD_DBGAPI_ARCHITECTURE_INFO_NAME = 1,
	/**
	 * Its EF_AMDGPU_MACH number: the low byte of e_flags in its code objects.
	 *
	 * Result: uint32_t.
	 */
	AMD_DBGAPI_ARCHITECTURE_INFO_ELF_AMDGPU_MACHINE = 2,
	/**
	 * The size in bytes of the longest instruction: as many should be passed to
	 * amd_dbgapi_disassemble_instruction.
	 *
	 * Result: amd_dbgapi_size_t.
	 */
	AMD_DBGAPI_ARCHITECTURE_INFO_LARGEST_INSTRUCTION_SIZE = 3,
	/**
	 * The alignment of instructions in bytes. Also how many bytes to skip where there is no
	 * instruction.
	 *
	 * Result: amd_dbgapi_size_t.
	 */
	AMD_DBGAPI_ARCHITECTURE_INFO_MINIMUM_INSTRUCTION_ALIGNMENT = 4,
	/**
	 * The size in bytes of the breakpoint instruction.
	 *
	 * Result: amd_dbgapi_size_t.
	 */
	AMD_DBGAPI_ARCHITECTURE_INFO_BREAKPOINT_INSTRUCTION_SIZE = 5,
	/**
	 * The BREAKPOINT_INSTRUCTION_SIZE bytes of the breakpoint instruction. A wave that executes
	 * it stops with AMD_DBGAPI_WAVE_STOP_REASON_BREAKPOINT.
	 *
	 * Result: uint8_t *, allocated for the client.
	 */
	AMD_DBGAPI_ARCHITECTURE_INFO_BREAKPOINT_INSTRUCTION = 6,
	/**
	 * The number to subtract from the pc of a wave that has stopped at a breakpoint to get the
	 * address of the breakpoint.
	 *
	 * Result: amd_dbgapi_size_t.
	 */
	AMD_DBGAPI_ARCHITECTURE_INFO_BREAKPOINT_INSTRUCTION_PC_ADJUST = 7,
	/**
	 * The register of the program counter.
	 *
	 * Result: amd_dbgapi_register_id_t.
	 */
	AMD_DBGAPI_ARCHITECTURE_INFO_PC_REGISTER = 8
} amd_dbgapi_architecture_info_t;

/**
 * Query an architecture.
 *
 * @architecture_id: the architecture.
 * @query: the query, which determines the type of the result.
 * @value_size: the size of @value in bytes. It must be the size of the result's type.
 * @value: set to the result.
 *
 * Return:
 * - SUCCESS: @value holds the result.
 * - ERROR_INVALID_ARCHITECTURE_ID: @architecture_id names no architecture.
 * - ERROR_INVALID_ARGUMENT: @value is NULL or @query is not one of the queries.
 * - ERROR_INVALID_ARGUMENT_COMPATIBILITY: @value_size is not the size of the result.
 * - ERROR_CLIENT_CALLBACK: allocate_memory returned NULL.
 * - FATAL or ERROR_NOT_INITIALIZED: as for every function.
 */
amd_dbgapi_status_t AMD_DBGAPI amd_dbgapi_architecture_get_info(
	amd_dbgapi_architecture_id_t architecture_id, amd_dbgapi_architecture_info_t query,
	size_t value_size, void *value) AMD_DBGAPI_VERSION_0_82;

/**
 * Find the architecture of a code object.
 *
 * @elf_amdgpu_machine: its EF_AMDGPU_MACH number: e_flags & 0xff of the ELF file.
 * @architecture_id: set to the architecture.
 *
 * Return:
 * - SUCCESS: *@architecture_id is set.
 * - ERROR_INVALID_ARGUMENT: @architecture_id is NULL; checked before the number.
 * - ERROR_INVALID_ELF_AMDGPU_MACHINE: the library knows no architecture with this number.
 * - FATAL or ERROR_NOT_INITIALIZED: as for every function.
 */
amd_dbgapi_status_t AMD_DBGAPI
amd_dbgapi_get_architecture(uint32_t elf_amdgpu_machine,
			    amd_dbgapi_architecture_id_t *architecture_id) AMD_DBGAPI_VERSION_0_54;

/** The first argument of the client's symbolizer. The library only passes it on. */
typedef struct amd_dbgapi_symbolizer_id_s *amd_dbgapi_symbolizer_id_t;

/**
 * Disassemble one instruction, or get its size only.
 *
 * @architecture_id: the architecture of the instruction.
 * @address: of the instruction, from which branch targets are computed.
 * @size: in: the bytes at @memory, more than 0. Out: the bytes of the instruction.
 * @memory: the bytes. Pass as many as the longest instruction has, if so many can be read: an
 *   instruction that is longer than @size is not recognized.
 * @instruction_text: set to the text, allocated for the client. May be NULL to get the size only.
 * @symbolizer_id: the first argument of each call of @symbolizer.
 * @symbolizer: called for each address that the text names, or NULL: then addresses are printed as
 *   numbers. It sets *@symbol_text to a text from the client's allocator, which the library
 *   releases with deallocate_memory, and returns SUCCESS. If it returns SYMBOL_NOT_FOUND, a number
 *   is printed. Any other status makes the call fail.
 *
 * Return:
 * - SUCCESS: *@size and, if @instruction_text is not NULL, *@instruction_text are set.
 * - ERROR_INVALID_ARGUMENT: @size or @memory is NULL, *@size holds 0, or @address is misaligned.
 *   NULL and 0 are checked before the architecture.
 * - ERROR_INVALID_ARCHITECTURE_ID: no such architecture.
 * - ERROR_ILLEGAL_INSTRUCTION: the bytes are not an instruction, or not a complete one.
 * - ERROR: the disassembler failed otherwise.
 * - ERROR_CLIENT_CALLBACK: allocate_memory returned NULL, or @symbolizer failed.
 * - FATAL or ERROR_NOT_INITIALIZED: as for every function.
 */
amd_dbgapi_status_t AMD_DBGAPI amd_dbgapi_disassemble_instruction(
	amd_dbgapi_architecture_id_t architecture_id, amd_dbgapi_global_address_t address,
	amd_dbgapi_size_t *size, const void *memory, char **instruction_text,
	amd_dbgapi_symbolizer_id_t symbolizer_id,
	amd_dbgapi_status_t (*symbolizer)(amd_dbgapi_symbolizer_id_t symbolizer_id,
					  amd_dbgapi_global_address_t address,
					  char **symbol_text)) AMD_DBGAPI_VERSION_0_54;

/**
 * The effect of an instruction on control flow. For some kinds amd_dbgapi_classify_instruction
 * returns information. The first register of a pair has the low 32 bits of an address, the second
 * the high ones.
 */
typedef enum {
	/** Not known. */
	AMD_DBGAPI_INSTRUCTION_KIND_UNKNOWN = 0,
	/** Continues with the next instruction. */
	AMD_DBGAPI_INSTRUCTION_KIND_SEQUENTIAL = 1,
	/** Branches always. Information: amd_dbgapi_global_address_t, the target. */
	AMD_DBGAPI_INSTRUCTION_KIND_DIRECT_BRANCH = 2,
	/**
	 * Branches or continues. Information: amd_dbgapi_global_address_t, the target if it
	 * branches.
	 */
	AMD_DBGAPI_INSTRUCTION_KIND_DIRECT_BRANCH_CONDITIONAL = 3,
	/**
	 * Branches to the address in a pair of registers. Information: amd_dbgapi_register_id_t[2],
	 * the pair.
	 */
	AMD_DBGAPI_INSTRUCTION_KIND_INDIRECT_BRANCH_REGISTER_PAIR = 4,
	/** The same on a condition. Information: amd_dbgapi_register_id_t[2], the pair. */
	AMD_DBGAPI_INSTRUCTION_KIND_INDIRECT_BRANCH_CONDITIONAL_REGISTER_PAIR = 5,
	/**
	 * Branches, and writes the address of the next instruction to a pair of registers.
	 * Information: amd_dbgapi_direct_call_register_pair_information_t.
	 */
	AMD_DBGAPI_INSTRUCTION_KIND_DIRECT_CALL_REGISTER_PAIR = 6,
	/**
	 * Branches to the address in one pair of registers, and writes the address of the next
	 * instruction to another pair. Information: amd_dbgapi_register_id_t[4], the pair of the
	 * target, then that of the return address.
	 */
	AMD_DBGAPI_INSTRUCTION_KIND_INDIRECT_CALL_REGISTER_PAIRS = 7,
	/** Ends the wave. */
	AMD_DBGAPI_INSTRUCTION_KIND_TERMINATE = 8,
	/**
	 * Enters the trap handler, which may return, stop the wave or end it. Clients do not see
	 * the handler. Information: uint64_t, the number of the trap.
	 */
	AMD_DBGAPI_INSTRUCTION_KIND_TRAP = 9,
	/** Halts the wave. */
	AMD_DBGAPI_INSTRUCTION_KIND_HALT = 10,
	/** May wait for other waves. */
	AMD_DBGAPI_INSTRUCTION_KIND_BARRIER = 11,
	/** Pauses, then continues with the next instruction. */
	AMD_DBGAPI_INSTRUCTION_KIND_SLEEP = 12,
	/**
	 * Another instruction that should not be treated as sequential, such as a message to the
	 * host or a change of other waves.
	 */
	AMD_DBGAPI_INSTRUCTION_KIND_SPECIAL = 13,
#if AMD_DBGAPI_LEVEL >= 80
	/**
	 * Branches to the next instruction and as many bytes on as a pair of registers holds, a
	 * signed number. Information: amd_dbgapi_register_id_t[2], the pair.
	 */
	AMD_DBGAPI_INSTRUCTION_KIND_RELATIVE_BRANCH_REGISTER_PAIR = 14,
#endif
} amd_dbgapi_instruction_kind_t;

/** Properties of an instruction, as a mask. No bits are defined at this level. */
typedef enum {
	/** Nothing more. */
	AMD_DBGAPI_INSTRUCTION_PROPERTY_NONE = 0,
#if AMD_DBGAPI_LEVEL < 58
	/** Used by nobody: the enumeration has 64 bits for it. */
	AMD_DBGAPI_INSTRUCTION_PROPERTY_RESERVED = 1ULL << 63,
#endif
} amd_dbgapi_instruction_properties_t;

/**
 * Classify an instruction, and get its possible targets.
 *
 * @architecture_id: the architecture of the instruction.
 * @address: of the instruction, from which targets are computed.
 * @size: in: the bytes at @memory, more than 0. Out: the bytes of the instruction.
 * @memory: the bytes.
 * @instruction_kind: set to the kind.
 * @instruction_properties: set to the properties, if not NULL.
 * @instruction_information: set to the information that goes with the kind, allocated for the
 *   client, or to NULL if the kind has none. May be NULL.
 *
 * Return:
 * - SUCCESS: the outputs are set.
 * - ERROR_INVALID_ARGUMENT: @size, @memory or @instruction_kind is NULL, *@size holds 0, or
 *   @address is misaligned. NULL and 0 are checked before the architecture.
 * - ERROR_INVALID_ARCHITECTURE_ID: no such architecture.
 * - ERROR_ILLEGAL_INSTRUCTION: the bytes are not an instruction, or not a complete one.
 * - ERROR: the decoder failed otherwise.
 * - ERROR_CLIENT_CALLBACK: allocate_memory returned NULL.
 * - FATAL or ERROR_NOT_INITIALIZED: as for every function.
 */
amd_dbgapi_status_t AMD_DBGAPI
amd_dbgapi_classify_instruction(amd_dbgapi_architecture_id_t architecture_id,
				amd_dbgapi_global_address_t address, amd_dbgapi_size_t *size,
				const void *memory, amd_dbgapi_instruction_kind_t *instruction_kind,
				amd_dbgapi_instruction_properties_t *instruction_properties,
				void **instruction_information) AMD_DBGAPI_VERSION_0_58;

/*
 * Processes
 *
 * A process must be attached before its devices can be inspected. Several processes may be attached
 * at once; they are independent.
 */

/**
 * The client's id of a process: the first argument of callbacks about a process. The library only
 * passes it on.
 */
typedef struct amd_dbgapi_client_process_s *amd_dbgapi_client_process_id_t;

/** An attached process. */
typedef struct {
	uint64_t handle;
} amd_dbgapi_process_id_t;

/** The null handle: no process or, where a function says so, all processes. */
#define AMD_DBGAPI_PROCESS_NONE AMD_DBGAPI_HANDLE_LITERAL(amd_dbgapi_process_id_t, 0)

#if AMD_DBGAPI_LEVEL >= 76
/** The order of bytes in a number. */
typedef enum {
	/** The most significant first. */
	AMD_DBGAPI_ENDIAN_BIG = 0,
	/** The least significant first. */
	AMD_DBGAPI_ENDIAN_LITTLE = 1
} amd_dbgapi_endianness_t;

/**
 * The state of the devices of a process for a core file, which keeps it in a note (owner "AMDGPU",
 * type 33). Only the library knows its format.
 */
typedef struct {
	/** Byte order of the core file. */
	amd_dbgapi_endianness_t endianness;
	/** Bytes at @data. */
	size_t size;
	/** The bytes. The query says who allocates them. */
	const void *data;
} amd_dbgapi_core_state_data_t;
#endif

/** The queries of amd_dbgapi_process_get_info. */
typedef enum {
	/**
	 * The notifier: see "Events".
	 *
	 * Result: amd_dbgapi_notifier_t.
	 */
	AMD_DBGAPI_PROCESS_INFO_NOTIFIER = 1,
	/**
	 * How many hardware watchpoints the process has: the smallest count among its agents.
	 *
	 * Result: size_t.
	 */
	AMD_DBGAPI_PROCESS_INFO_WATCHPOINT_COUNT = 2,
	/**
	 * Whether processes share watchpoints.
	 *
	 * Result: uint32_t, one of amd_dbgapi_watchpoint_share_kind_t.
	 */
	AMD_DBGAPI_PROCESS_INFO_WATCHPOINT_SHARE = 3,
	/**
	 * Whether amd_dbgapi_set_memory_precision supports precise memory.
	 *
	 * Result: uint32_t, one of amd_dbgapi_memory_precision_t.
	 */
	AMD_DBGAPI_PROCESS_INFO_PRECISE_MEMORY_SUPPORTED = 4,
#if AMD_DBGAPI_LEVEL >= 77
	/**
	 * Whether amd_dbgapi_set_alu_exceptions_precision supports precise exceptions.
	 *
	 * Result: uint32_t, one of amd_dbgapi_alu_exceptions_precision_t.
	 */
	AMD_DBGAPI_PROCESS_INFO_PRECISE_ALU_EXCEPTIONS_SUPPORTED = 5,
#endif
	/**
	 * The process id. Not available for a process that is read from a core file.
	 *
	 * Result: amd_dbgapi_os_process_id_t.
	 */
	AMD_DBGAPI_PROCESS_INFO_OS_ID = AMD_DBGAPI_SINCE(77, 6, 5),
#if AMD_DBGAPI_LEVEL >= 76
	/**
	 * The state for a core file; its @data is allocated for the client. The process must be
	 * frozen.
	 *
	 * Result: amd_dbgapi_core_state_data_t, allocated for the client.
	 */
	AMD_DBGAPI_PROCESS_INFO_CORE_STATE = AMD_DBGAPI_SINCE(77, 7, 6),
#endif
#if AMD_DBGAPI_LEVEL >= 80
	/**
	 * The bits that an address can have, of any address space on any of the process's agents: a
	 * mask. 0 if it has no agents.
	 *
	 * Result: amd_dbgapi_segment_address_t.
	 */
	AMD_DBGAPI_PROCESS_INFO_SIGNIFICANT_ADDRESS_BITS = 8,
#endif
} amd_dbgapi_process_info_t;

/**
 * Query a process.
 *
 * @process_id: the process.
 * @query: the query, which determines the type of the result.
 * @value_size: the size of @value in bytes. It must be the size of the result's type.
 * @value: set to the result.
 *
 * Return:
 * - SUCCESS: @value holds the result.
 * - ERROR_INVALID_PROCESS_ID: @process_id names no attached process.
 * - ERROR_INVALID_ARGUMENT: @value is NULL or @query is not one of the queries.
 * - ERROR_INVALID_ARGUMENT_COMPATIBILITY: @value_size is not the size of the result.
 * - ERROR_NOT_AVAILABLE: OS_ID or CORE_STATE of a process that has none.
 * - ERROR_CLIENT_CALLBACK: allocate_memory returned NULL.
 * - ERROR_PROCESS_NOT_FROZEN: CORE_STATE, and the process runs.
 * - ERROR_RESTRICTION: CORE_STATE, and the driver cannot deliver it.
 * - FATAL or ERROR_NOT_INITIALIZED: as for every function.
 */
amd_dbgapi_status_t AMD_DBGAPI amd_dbgapi_process_get_info(amd_dbgapi_process_id_t process_id,
							   amd_dbgapi_process_info_t query,
							   size_t value_size,
							   void *value) AMD_DBGAPI_VERSION_0_80;

/**
 * Attach to a process. It need not have used a device yet: when its runtime is loaded, an event
 * AMD_DBGAPI_EVENT_KIND_RUNTIME reports it, and code objects and waves exist only after that. If
 * the runtime is loaded already, that event is the first one pending.
 *
 * During the call the library uses client_process_get_info and may ask the client to insert
 * breakpoints. The process is in AMD_DBGAPI_PROGRESS_NORMAL, AMD_DBGAPI_WAVE_CREATION_NORMAL and
 * without precision afterwards. Running waves continue to run; those that have stopped at an
 * exception are reported by events.
 *
 * A client process for which client_process_get_info returns NOT_AVAILABLE for OS_PID is a core
 * file; it has no agents if CORE_STATE is NOT_AVAILABLE, too.
 *
 * @client_process_id: the client's id of the process, which must not be attached.
 * @process_id: set to the new handle.
 *
 * Return:
 * - SUCCESS: *@process_id is set and the process is attached, even if it has ended meanwhile.
 * - ERROR_ALREADY_ATTACHED: it is attached already.
 * - ERROR_RESTRICTION: debugging is not possible: see the status. Nothing is attached.
 * - ERROR_INVALID_ARGUMENT: @process_id is NULL.
 * - ERROR: something else failed, a callback included. Nothing is attached.
 * - FATAL or ERROR_NOT_INITIALIZED: as for every function.
 */
amd_dbgapi_status_t AMD_DBGAPI
amd_dbgapi_process_attach(amd_dbgapi_client_process_id_t client_process_id,
			  amd_dbgapi_process_id_t *process_id) AMD_DBGAPI_VERSION_0_56;

/**
 * Detach from a process, which continues as if it had not been debugged. Watchpoints and the
 * library's own breakpoints are removed, displaced steps are completed, and precision and wave
 * creation are reset. Waves that were stopped by the client or for a reason of debugging
 * (breakpoint, watchpoint, single step, debug trap) are resumed; those with an exception stay
 * halted for the runtime to handle. Pending events are dropped and the notifier is closed. All
 * handles of the process become invalid.
 *
 * The client must remove the breakpoints that it has written into code before the call.
 *
 * @process_id: the process. Invalid afterwards.
 *
 * Return:
 * - SUCCESS: it is detached.
 * - ERROR_INVALID_PROCESS_ID: no such attached process.
 * - FATAL or ERROR_NOT_INITIALIZED: as for every function.
 */
amd_dbgapi_status_t AMD_DBGAPI amd_dbgapi_process_detach(amd_dbgapi_process_id_t process_id)
	AMD_DBGAPI_VERSION_0_54;

/**
 * Whether a process needs to make progress. To inspect waves the library must suspend their queues.
 * In normal progress it resumes them before a function returns. A client that will make many calls
 * should request no forward progress first.
 */
typedef enum {
	/** Waves that are not stopped execute. */
	AMD_DBGAPI_PROGRESS_NORMAL = 0,
	/**
	 * Waves that are not stopped need not execute: the library may leave queues suspended. Such
	 * waves still have the state RUN, and pending stops are still reported.
	 */
	AMD_DBGAPI_PROGRESS_NO_FORWARD = 1
} amd_dbgapi_progress_t;

/**
 * Set whether a process needs to make progress. AMD_DBGAPI_PROGRESS_NORMAL resumes suspended
 * queues.
 *
 * @process_id: the process, or AMD_DBGAPI_PROCESS_NONE for all attached ones.
 * @progress: the mode.
 *
 * Return:
 * - SUCCESS: the mode is set.
 * - ERROR_INVALID_ARGUMENT: @progress is not a mode; checked before the process.
 * - ERROR_INVALID_PROCESS_ID: no such attached process.
 * - ERROR_PROCESS_FROZEN: the process is frozen. The mode does not change.
 * - FATAL or ERROR_NOT_INITIALIZED: as for every function.
 */
amd_dbgapi_status_t AMD_DBGAPI amd_dbgapi_process_set_progress(
	amd_dbgapi_process_id_t process_id, amd_dbgapi_progress_t progress) AMD_DBGAPI_VERSION_0_76;

/** The mode in which new waves are created. */
typedef enum {
	/** They execute. */
	AMD_DBGAPI_WAVE_CREATION_NORMAL = 0,
	/**
	 * They are halted before their first instruction, and are in no list until the mode is
	 * NORMAL again. So a client that stops all waves does not find new ones meanwhile.
	 */
	AMD_DBGAPI_WAVE_CREATION_STOP = 1
} amd_dbgapi_wave_creation_t;

/**
 * Set what happens to new waves. AMD_DBGAPI_WAVE_CREATION_NORMAL resumes those that are halted at
 * their launch.
 *
 * @process_id: the process.
 * @creation: the mode.
 *
 * Return:
 * - SUCCESS: the mode is set.
 * - ERROR_INVALID_PROCESS_ID: no such attached process; checked before the mode.
 * - ERROR_INVALID_ARGUMENT: @creation is not a mode.
 * - ERROR_PROCESS_FROZEN: the process is frozen. The mode does not change.
 * - FATAL or ERROR_NOT_INITIALIZED: as for every function.
 */
amd_dbgapi_status_t AMD_DBGAPI
amd_dbgapi_process_set_wave_creation(amd_dbgapi_process_id_t process_id,
				     amd_dbgapi_wave_creation_t creation) AMD_DBGAPI_VERSION_0_76;

#if AMD_DBGAPI_LEVEL >= 76
/**
 * Freeze a process, so that a core file can be written: caches and the state of waves are written
 * to memory, and nothing executes until amd_dbgapi_process_unfreeze. While a process is frozen,
 * functions that would change it return ERROR_PROCESS_FROZEN. It can be inspected.
 *
 * @process_id: the process. It must be in AMD_DBGAPI_PROGRESS_NO_FORWARD and
 *   AMD_DBGAPI_WAVE_CREATION_STOP.
 *
 * Return:
 * - SUCCESS: the process is frozen.
 * - ERROR_INVALID_PROCESS_ID: no such attached process.
 * - ERROR_INCOMPATIBLE_PROCESS_STATE: it is in another mode.
 * - ERROR_PROCESS_ALREADY_FROZEN: it is frozen already.
 * - FATAL or ERROR_NOT_INITIALIZED: as for every function.
 */
amd_dbgapi_status_t AMD_DBGAPI amd_dbgapi_process_freeze(amd_dbgapi_process_id_t process_id)
	AMD_DBGAPI_VERSION_0_76;

/**
 * Unfreeze a process. The modes do not change, so nothing executes until the client sets them.
 *
 * @process_id: the process.
 *
 * Return:
 * - SUCCESS: it can be changed again.
 * - ERROR_INVALID_PROCESS_ID: no such attached process.
 * - ERROR_PROCESS_NOT_FROZEN: it is not frozen.
 * - FATAL or ERROR_NOT_INITIALIZED: as for every function.
 */
amd_dbgapi_status_t AMD_DBGAPI amd_dbgapi_process_unfreeze(amd_dbgapi_process_id_t process_id)
	AMD_DBGAPI_VERSION_0_76;
#endif

/*
 * Code objects
 *
 * A code object is an ELF shared object with code for devices that is loaded at an address and
 * relocated. It may have come from a file or from memory, for instance from inside a host program,
 * and one ELF may be loaded several times.
 */

/** A loaded code object. One that is loaded again after it was unloaded has a new handle. */
typedef struct {
	uint64_t handle;
} amd_dbgapi_code_object_id_t;

/** The null handle: no code object. */
#define AMD_DBGAPI_CODE_OBJECT_NONE AMD_DBGAPI_HANDLE_LITERAL(amd_dbgapi_code_object_id_t, 0)

/** The queries of amd_dbgapi_code_object_get_info. */
typedef enum {
	/**
	 * The process it is loaded in.
	 *
	 * Result: amd_dbgapi_process_id_t.
	 */
	AMD_DBGAPI_CODE_OBJECT_INFO_PROCESS = 1,
	/**
	 * The place from which the ELF file can be read, before relocation, as a URI of one of two
	 * forms:
	 *
	 *   file://PATH[#offset=NUMBER&size=NUMBER]
	 *   memory://PID#offset=NUMBER&size=NUMBER
	 *
	 * PATH is absolute, in UTF-8, its parts separated by "/"; every character other than
	 * letters, digits and "/", "_", ".", "~", "-" is written as "%" and two upper-case
	 * hexadecimal digits. A range is given for an ELF file within another file; without a range
	 * the URI names the whole file. PID is the process id in decimal, and offset the address in
	 * its memory; a range is always given. "?" may stand for "#". A NUMBER is written as in C:
	 * decimal, hexadecimal after 0x or 0X, or octal after 0; sizes are in bytes.
	 *
	 * Result: char *, allocated for the client.
	 */
	AMD_DBGAPI_CODE_OBJECT_INFO_URI_NAME = 2,
	/**
	 * The difference between an address in memory and the address in the ELF file.
	 *
	 * Result: ptrdiff_t.
	 */
	AMD_DBGAPI_CODE_OBJECT_INFO_LOAD_ADDRESS = 3
} amd_dbgapi_code_object_info_t;

/**
 * Query a code object.
 *
 * @code_object_id: the code object.
 * @query: the query, which determines the type of the result.
 * @value_size: the size of @value in bytes. It must be the size of the result's type.
 * @value: set to the result.
 *
 * Return:
 * - SUCCESS: @value holds the result.
 * - ERROR_INVALID_CODE_OBJECT_ID: @code_object_id names no code object.
 * - ERROR_INVALID_ARGUMENT: @value is NULL or @query is not one of the queries.
 * - ERROR_INVALID_ARGUMENT_COMPATIBILITY: @value_size is not the size of the result.
 * - ERROR_CLIENT_CALLBACK: allocate_memory returned NULL.
 * - FATAL or ERROR_NOT_INITIALIZED: as for every function.
 */
amd_dbgapi_status_t AMD_DBGAPI amd_dbgapi_code_object_get_info(
	amd_dbgapi_code_object_id_t code_object_id, amd_dbgapi_code_object_info_t query,
	size_t value_size, void *value) AMD_DBGAPI_VERSION_0_54;

/**
 * List the loaded code objects. An event AMD_DBGAPI_EVENT_KIND_CODE_OBJECT_LIST_UPDATED reports
 * that the list has changed.
 *
 * @process_id: the process whose code objects; AMD_DBGAPI_PROCESS_NONE returns those of all
 *   attached processes, and none if no process is attached.
 * @code_object_count: how many handles @code_objects holds; 0 with a NULL list.
 * @code_objects: an array of @code_object_count handles, allocated for the client; NULL if there
 *   are none, or if @changed is set to NO.
 * @changed: NULL to get the list in any case. Otherwise set to whether the list has changed since
 *   it was last fetched with @changed, and the list is returned only if it has. See "Lists".
 *
 * Return:
 * - SUCCESS: @code_object_count, @code_objects and, if given, *@changed are set.
 * - ERROR_INVALID_PROCESS_ID: @process_id names no attached process.
 * - ERROR_INVALID_ARGUMENT: @code_object_count or @code_objects is NULL. The process is checked
 *   first.
 * - ERROR_CLIENT_CALLBACK: allocate_memory returned NULL. Nothing is altered.
 * - FATAL or ERROR_NOT_INITIALIZED: as for every function.
 */
amd_dbgapi_status_t AMD_DBGAPI
amd_dbgapi_process_code_object_list(amd_dbgapi_process_id_t process_id, size_t *code_object_count,
				    amd_dbgapi_code_object_id_t **code_objects,
				    amd_dbgapi_changed_t *changed) AMD_DBGAPI_VERSION_0_54;

/*
 * Agents
 *
 * An agent is a device, or a part of one, that runs dispatches. The agents of a process do not
 * change while it is attached.
 */

/**
 * An agent of a process. A device that two processes use is an agent of each, with two handles.
 */
typedef struct {
	uint64_t handle;
} amd_dbgapi_agent_id_t;

/** The null handle: no agent. */
#define AMD_DBGAPI_AGENT_NONE AMD_DBGAPI_HANDLE_LITERAL(amd_dbgapi_agent_id_t, 0)

/** The queries of amd_dbgapi_agent_get_info. */
typedef enum {
	/**
	 * The process it serves.
	 *
	 * Result: amd_dbgapi_process_id_t.
	 */
	AMD_DBGAPI_AGENT_INFO_PROCESS = 1,
	/**
	 * A name for people, such as that of the product.
	 *
	 * Result: char *, allocated for the client.
	 */
	AMD_DBGAPI_AGENT_INFO_NAME = 2,
	/**
	 * Its architecture. Not available if the library does not know it.
	 *
	 * Result: amd_dbgapi_architecture_id_t.
	 */
	AMD_DBGAPI_AGENT_INFO_ARCHITECTURE = 3,
	/**
	 * Whether it can be debugged.
	 *
	 * Result: uint32_t, one of amd_dbgapi_agent_state_t.
	 */
	AMD_DBGAPI_AGENT_INFO_STATE = 4,
#if AMD_DBGAPI_LEVEL >= 67
	/**
	 * Its PCI domain.
	 *
	 * Result: uint16_t.
	 */
	AMD_DBGAPI_AGENT_INFO_PCI_DOMAIN = 5,
#endif
	/**
	 * Its place on the PCI bus: bus number in bits 8 to 15, device in bits 3 to 7, function in
	 * bits 0 to 2.
	 *
	 * Result: uint16_t.
	 */
	AMD_DBGAPI_AGENT_INFO_PCI_SLOT = AMD_DBGAPI_SINCE(67, 6, 5),
	/**
	 * Its PCI vendor.
	 *
	 * Result: uint32_t.
	 */
	AMD_DBGAPI_AGENT_INFO_PCI_VENDOR_ID = AMD_DBGAPI_SINCE(67, 7, 6),
	/**
	 * Its PCI device number.
	 *
	 * Result: uint32_t.
	 */
	AMD_DBGAPI_AGENT_INFO_PCI_DEVICE_ID = AMD_DBGAPI_SINCE(67, 8, 7),
	/**
	 * How many execution units (SIMDs) it has.
	 *
	 * Result: size_t.
	 */
	AMD_DBGAPI_AGENT_INFO_EXECUTION_UNIT_COUNT = AMD_DBGAPI_SINCE(67, 9, 8),
	/**
	 * How many waves each of them holds at most.
	 *
	 * Result: size_t.
	 */
	AMD_DBGAPI_AGENT_INFO_MAX_WAVES_PER_EXECUTION_UNIT = AMD_DBGAPI_SINCE(67, 10, 9),
	/**
	 * The operating system's id of it.
	 *
	 * Result: amd_dbgapi_os_agent_id_t.
	 */
	AMD_DBGAPI_AGENT_INFO_OS_ID = AMD_DBGAPI_SINCE(67, 11, 10)
} amd_dbgapi_agent_info_t;

/** Whether an agent can be debugged. */
typedef enum {
	/** The agent can be debugged. */
	AMD_DBGAPI_AGENT_STATE_SUPPORTED = 1,
	/**
	 * The agent cannot be debugged: its architecture, firmware or driver is not supported. The
	 * process can use it, but its queues, dispatches and waves are in no list.
	 */
	AMD_DBGAPI_AGENT_STATE_NOT_SUPPORTED = 2
} amd_dbgapi_agent_state_t;

/**
 * Query an agent.
 *
 * @agent_id: the agent.
 * @query: the query, which determines the type of the result.
 * @value_size: the size of @value in bytes. It must be the size of the result's type.
 * @value: set to the result.
 *
 * Return:
 * - SUCCESS: @value holds the result.
 * - ERROR_INVALID_AGENT_ID: @agent_id names no agent.
 * - ERROR_INVALID_ARGUMENT: @value is NULL or @query is not one of the queries.
 * - ERROR_INVALID_ARGUMENT_COMPATIBILITY: @value_size is not the size of the result.
 * - ERROR_NOT_AVAILABLE: ARCHITECTURE of an agent whose architecture is not known.
 * - ERROR_CLIENT_CALLBACK: allocate_memory returned NULL.
 * - FATAL or ERROR_NOT_INITIALIZED: as for every function.
 */
amd_dbgapi_status_t AMD_DBGAPI amd_dbgapi_agent_get_info(amd_dbgapi_agent_id_t agent_id,
							 amd_dbgapi_agent_info_t query,
							 size_t value_size,
							 void *value) AMD_DBGAPI_VERSION_0_67;

/**
 * List the agents of a process.
 *
 * @process_id: the process whose agents; AMD_DBGAPI_PROCESS_NONE returns those of all attached
 *   processes, and none if no process is attached.
 * @agent_count: how many handles @agents holds; 0 with a NULL list.
 * @agents: an array of @agent_count handles, allocated for the client; NULL if there are none, or
 *   if @changed is set to NO.
 * @changed: NULL to get the list in any case. Otherwise set to whether the list has changed since
 *   it was last fetched with @changed, and the list is returned only if it has. See "Lists".
 *
 * Return:
 * - SUCCESS: @agent_count, @agents and, if given, *@changed are set.
 * - ERROR_INVALID_PROCESS_ID: @process_id names no attached process.
 * - ERROR_INVALID_ARGUMENT: @agent_count or @agents is NULL. The process is checked first.
 * - ERROR_CLIENT_CALLBACK: allocate_memory returned NULL. Nothing is altered.
 * - FATAL or ERROR_NOT_INITIALIZED: as for every function.
 */
amd_dbgapi_status_t AMD_DBGAPI amd_dbgapi_process_agent_list(
	amd_dbgapi_process_id_t process_id, size_t *agent_count, amd_dbgapi_agent_id_t **agents,
	amd_dbgapi_changed_t *changed) AMD_DBGAPI_VERSION_0_54;

/*
 * Queues
 *
 * A queue is a ring of packets in memory: the process writes them, an agent reads and executes
 * them.
 */

/** A queue. */
typedef struct {
	uint64_t handle;
} amd_dbgapi_queue_id_t;

/** The null handle: no queue. */
#define AMD_DBGAPI_QUEUE_NONE AMD_DBGAPI_HANDLE_LITERAL(amd_dbgapi_queue_id_t, 0)

/** The queries of amd_dbgapi_queue_get_info. */
typedef enum {
	/**
	 * The agent that executes its packets.
	 *
	 * Result: amd_dbgapi_agent_id_t.
	 */
	AMD_DBGAPI_QUEUE_INFO_AGENT = 1,
	/**
	 * Its process.
	 *
	 * Result: amd_dbgapi_process_id_t.
	 */
	AMD_DBGAPI_QUEUE_INFO_PROCESS = 2,
	/**
	 * The architecture of its agent.
	 *
	 * Result: amd_dbgapi_architecture_id_t.
	 */
	AMD_DBGAPI_QUEUE_INFO_ARCHITECTURE = 3,
	/**
	 * The kind of its packets.
	 *
	 * Result: uint32_t, one of amd_dbgapi_os_queue_type_t.
	 */
	AMD_DBGAPI_QUEUE_INFO_TYPE = 4,
	/**
	 * Whether it is in an error state.
	 *
	 * Result: uint32_t, one of amd_dbgapi_queue_state_t.
	 */
	AMD_DBGAPI_QUEUE_INFO_STATE = 5,
	/**
	 * The exceptions that put it into an error state; AMD_DBGAPI_EXCEPTION_NONE if it is in
	 * none.
	 *
	 * Result: uint32_t, a mask of amd_dbgapi_exceptions_t.
	 */
	AMD_DBGAPI_QUEUE_INFO_ERROR_REASON = 6,
	/**
	 * The address at which its ring begins.
	 *
	 * Result: amd_dbgapi_global_address_t.
	 */
	AMD_DBGAPI_QUEUE_INFO_ADDRESS = 7,
	/**
	 * Bytes of its ring.
	 *
	 * Result: amd_dbgapi_size_t.
	 */
	AMD_DBGAPI_QUEUE_INFO_SIZE = 8,
	/**
	 * The operating system's id of it.
	 *
	 * Result: amd_dbgapi_os_queue_id_t.
	 */
	AMD_DBGAPI_QUEUE_INFO_OS_ID = 9
} amd_dbgapi_queue_info_t;

/**
 * Query a queue. INFO_STATE and INFO_ERROR_REASON return ERROR_NOT_IMPLEMENTED if the library does
 * not track errors of queues.
 *
 * @queue_id: the queue.
 * @query: the query, which determines the type of the result.
 * @value_size: the size of @value in bytes. It must be the size of the result's type.
 * @value: set to the result.
 *
 * Return:
 * - SUCCESS: @value holds the result.
 * - ERROR_INVALID_QUEUE_ID: @queue_id names no queue.
 * - ERROR_INVALID_ARGUMENT: @value is NULL or @query is not one of the queries.
 * - ERROR_INVALID_ARGUMENT_COMPATIBILITY: @value_size is not the size of the result.
 * - ERROR_CLIENT_CALLBACK: allocate_memory returned NULL.
 * - FATAL or ERROR_NOT_INITIALIZED: as for every function.
 */
amd_dbgapi_status_t AMD_DBGAPI amd_dbgapi_queue_get_info(amd_dbgapi_queue_id_t queue_id,
							 amd_dbgapi_queue_info_t query,
							 size_t value_size,
							 void *value) AMD_DBGAPI_VERSION_0_68;

/** Whether a queue works. */
typedef enum {
	/** The queue works. */
	AMD_DBGAPI_QUEUE_STATE_VALID = 1,
	/** The queue is in an error state and executes no further packets. */
	AMD_DBGAPI_QUEUE_STATE_ERROR = 2
} amd_dbgapi_queue_state_t;

/**
 * Exceptions of a device, as a mask: those of a queue, or those that amd_dbgapi_wave_resume passes
 * to the runtime. The low 16 bits are exceptions of waves, then come those of packets, then those
 * of the queue.
 */
typedef enum {
	/** Nothing. */
	AMD_DBGAPI_EXCEPTION_NONE = 0,
	/** A wave aborted, for instance by an assert trap. */
	AMD_DBGAPI_EXCEPTION_WAVE_ABORT = (1 << 0),
	/** A wave executed another trap. */
	AMD_DBGAPI_EXCEPTION_WAVE_TRAP = (1 << 1),
	/** A wave raised an enabled arithmetic exception. */
	AMD_DBGAPI_EXCEPTION_WAVE_MATH_ERROR = (1 << 2),
	/** A wave tried to execute an illegal instruction. */
	AMD_DBGAPI_EXCEPTION_WAVE_ILLEGAL_INSTRUCTION = (1 << 3),
	/** A wave accessed memory that is not mapped, or not for this access. */
	AMD_DBGAPI_EXCEPTION_WAVE_MEMORY_VIOLATION = (1 << 4),
#if AMD_DBGAPI_LEVEL >= 76
	/** A wave used an address that is none in its address space. */
	AMD_DBGAPI_EXCEPTION_WAVE_ADDRESS_ERROR = (1 << 5),
	/** Older name of AMD_DBGAPI_EXCEPTION_WAVE_ADDRESS_ERROR. */
	AMD_DBGAPI_EXCEPTION_WAVE_APERTURE_VIOLATION AMD_DBGAPI_DEPRECATED =
		AMD_DBGAPI_EXCEPTION_WAVE_ADDRESS_ERROR,
#else
	/** A wave used an address that is none in its address space. */
	AMD_DBGAPI_EXCEPTION_WAVE_APERTURE_VIOLATION = (1 << 5),
#endif
	/** A dispatch packet with wrong dimensions. */
	AMD_DBGAPI_EXCEPTION_PACKET_DISPATCH_DIM_INVALID = (1 << 16),
	/** A dispatch packet requires more group memory than there is. */
	AMD_DBGAPI_EXCEPTION_PACKET_DISPATCH_GROUP_SEGMENT_SIZE_INVALID = (1 << 17),
	/** A dispatch packet has no kernel. */
	AMD_DBGAPI_EXCEPTION_PACKET_DISPATCH_CODE_INVALID = (1 << 18),
	/** A packet has an unsupported type. */
	AMD_DBGAPI_EXCEPTION_PACKET_UNSUPPORTED = (1 << 20),
#if AMD_DBGAPI_LEVEL >= 64
	/** A dispatch packet with wrong workgroup sizes. */
	AMD_DBGAPI_EXCEPTION_PACKET_DISPATCH_WORKGROUP_SIZE_INVALID = (1 << 21),
#else
	/** A dispatch packet with wrong workgroup sizes. */
	AMD_DBGAPI_EXCEPTION_PACKET_DISPATCH_WORK_GROUP_SIZE_INVALID = (1 << 21),
#endif
	/** A dispatch of a kernel that needs more registers than there are. */
	AMD_DBGAPI_EXCEPTION_PACKET_DISPATCH_REGISTER_COUNT_TOO_LARGE = (1 << 22),
	/** A vendor-specific packet is not supported. */
	AMD_DBGAPI_EXCEPTION_PACKET_VENDOR_UNSUPPORTED = (1 << 23),
#if AMD_DBGAPI_LEVEL >= 58
	/**
	 * The queue could not be suspended. This is bit 31, so the enumerator is negative; a mask
	 * of it in a uint32_t is 0x80000000.
	 */
	AMD_DBGAPI_EXCEPTION_QUEUE_PREEMPTION_ERROR = (-2147483647 - 1),
#else
	AMD_DBGAPI_EXCEPTION_QUEUE_PREEMPTION_ERROR = 1ULL << 31,
	/** Used by nobody: the enumeration has 64 bits for it. */
	AMD_DBGAPI_EXCEPTION_RESERVED = 1ULL << 63,
#endif
} amd_dbgapi_exceptions_t;

/**
 * List the queues of a process, on agents that can be debugged.
 *
 * @process_id: the process whose queues; AMD_DBGAPI_PROCESS_NONE returns those of all attached
 *   processes, and none if no process is attached.
 * @queue_count: how many handles @queues holds; 0 with a NULL list.
 * @queues: an array of @queue_count handles, allocated for the client; NULL if there are none, or
 *   if @changed is set to NO.
 * @changed: NULL to get the list in any case. Otherwise set to whether the list has changed since
 *   it was last fetched with @changed, and the list is returned only if it has. See "Lists".
 *
 * Return:
 * - SUCCESS: @queue_count, @queues and, if given, *@changed are set.
 * - ERROR_INVALID_PROCESS_ID: @process_id names no attached process.
 * - ERROR_INVALID_ARGUMENT: @queue_count or @queues is NULL. The process is checked first.
 * - ERROR_CLIENT_CALLBACK: allocate_memory returned NULL. Nothing is altered.
 * - FATAL or ERROR_NOT_INITIALIZED: as for every function.
 */
amd_dbgapi_status_t AMD_DBGAPI amd_dbgapi_process_queue_list(
	amd_dbgapi_process_id_t process_id, size_t *queue_count, amd_dbgapi_queue_id_t **queues,
	amd_dbgapi_changed_t *changed) AMD_DBGAPI_VERSION_0_54;

/**
 * List the packets of a queue that are waiting or active, as they are in the ring. Unless the
 * process and the queue are stopped, the ring may change meanwhile and ids and bytes may not match.
 *
 * A packet is no longer listed after the agent has read it and all packets before it have
 * completed. So the packet of an active dispatch may or may not be listed.
 *
 * @queue_id: the queue.
 * @read_packet_id: set to the number of the first packet returned.
 * @write_packet_id: set to the number after the last one. Equal to *@read_packet_id if there are
 *   none.
 * @packets_byte_size: set to the bytes of all these packets.
 * @packets_bytes: set to the packets, in order, allocated for the client. May be NULL to get the
 *   numbers only.
 *
 * Return:
 * - SUCCESS: the outputs are set.
 * - ERROR_INVALID_ARGUMENT: @read_packet_id, @write_packet_id or @packets_byte_size is NULL.
 * - ERROR_NOT_SUPPORTED: queues of this type have no packets that the library can list.
 * - ERROR: the ring could not be read.
 * - ERROR_CLIENT_CALLBACK: allocate_memory returned NULL.
 * - FATAL or ERROR_NOT_INITIALIZED: as for every function.
 */
amd_dbgapi_status_t AMD_DBGAPI amd_dbgapi_queue_packet_list(
	amd_dbgapi_queue_id_t queue_id, amd_dbgapi_os_queue_packet_id_t *read_packet_id,
	amd_dbgapi_os_queue_packet_id_t *write_packet_id, size_t *packets_byte_size,
	void **packets_bytes) AMD_DBGAPI_VERSION_0_54;

/*
 * Dispatches
 *
 * A dispatch is the execution of one kernel over a grid of work-items, which a packet in a queue
 * requests. Waiting dispatches are not listed: a dispatch exists from its first wave to its last.
 */

/** A dispatch. */
typedef struct {
	uint64_t handle;
} amd_dbgapi_dispatch_id_t;

/** The null handle: no dispatch. */
#define AMD_DBGAPI_DISPATCH_NONE AMD_DBGAPI_HANDLE_LITERAL(amd_dbgapi_dispatch_id_t, 0)

/** The queries of amd_dbgapi_dispatch_get_info. Most are in the packet. */
typedef enum {
	/**
	 * Its queue.
	 *
	 * Result: amd_dbgapi_queue_id_t.
	 */
	AMD_DBGAPI_DISPATCH_INFO_QUEUE = 1,
	/**
	 * The agent that runs it.
	 *
	 * Result: amd_dbgapi_agent_id_t.
	 */
	AMD_DBGAPI_DISPATCH_INFO_AGENT = 2,
	/**
	 * Its process.
	 *
	 * Result: amd_dbgapi_process_id_t.
	 */
	AMD_DBGAPI_DISPATCH_INFO_PROCESS = 3,
	/**
	 * The architecture of its agent.
	 *
	 * Result: amd_dbgapi_architecture_id_t.
	 */
	AMD_DBGAPI_DISPATCH_INFO_ARCHITECTURE = 4,
	/**
	 * The number of its packet in the queue.
	 *
	 * Result: amd_dbgapi_os_queue_packet_id_t.
	 */
	AMD_DBGAPI_DISPATCH_INFO_OS_QUEUE_PACKET_ID = 5,
	/**
	 * Whether it waits for the packets before it.
	 *
	 * Result: uint32_t, one of amd_dbgapi_dispatch_barrier_t.
	 */
	AMD_DBGAPI_DISPATCH_INFO_BARRIER = 6,
	/**
	 * The scope of its acquire fence, which is executed before it starts.
	 *
	 * Result: uint32_t, one of amd_dbgapi_dispatch_fence_scope_t.
	 */
	AMD_DBGAPI_DISPATCH_INFO_ACQUIRE_FENCE = 7,
	/**
	 * The scope of its release fence, which is executed when it ends.
	 *
	 * Result: uint32_t, one of amd_dbgapi_dispatch_fence_scope_t.
	 */
	AMD_DBGAPI_DISPATCH_INFO_RELEASE_FENCE = 8,
	/**
	 * How many dimensions the grid has: 1, 2 or 3.
	 *
	 * Result: uint32_t.
	 */
	AMD_DBGAPI_DISPATCH_INFO_GRID_DIMENSIONS = 9,
#if AMD_DBGAPI_LEVEL >= 64
	/**
	 * Work-items of a workgroup in x, y and z. 1 in dimensions the grid does not have.
	 *
	 * Result: uint16_t[3].
	 */
	AMD_DBGAPI_DISPATCH_INFO_WORKGROUP_SIZES = 10,
#else
	/** Work-items of a workgroup: uint16_t[3]. */
	AMD_DBGAPI_DISPATCH_INFO_WORK_GROUP_SIZES = 10,
#endif
	/**
	 * Work-items of the grid in x, y and z. 1 in dimensions the grid does not have.
	 *
	 * Result: uint32_t[3].
	 */
	AMD_DBGAPI_DISPATCH_INFO_GRID_SIZES = 11,
	/**
	 * Bytes of private memory for each work-item.
	 *
	 * Result: amd_dbgapi_size_t.
	 */
	AMD_DBGAPI_DISPATCH_INFO_PRIVATE_SEGMENT_SIZE = 12,
	/**
	 * Bytes of local memory for each workgroup: those of the kernel plus those of the packet.
	 *
	 * Result: amd_dbgapi_size_t.
	 */
	AMD_DBGAPI_DISPATCH_INFO_GROUP_SEGMENT_SIZE = 13,
	/**
	 * The address of the kernel's arguments.
	 *
	 * Result: amd_dbgapi_global_address_t.
	 */
	AMD_DBGAPI_DISPATCH_INFO_KERNEL_ARGUMENT_SEGMENT_ADDRESS = 14,
	/**
	 * The address of the kernel's descriptor: the 64 bytes at the symbol NAME.kd of its code
	 * object.
	 *
	 * Result: amd_dbgapi_global_address_t.
	 */
	AMD_DBGAPI_DISPATCH_INFO_KERNEL_DESCRIPTOR_ADDRESS = 15,
	/**
	 * The address at which its code begins.
	 *
	 * Result: amd_dbgapi_global_address_t.
	 */
	AMD_DBGAPI_DISPATCH_INFO_KERNEL_CODE_ENTRY_ADDRESS = 16,
	/**
	 * The signal it decrements when it ends, or 0.
	 *
	 * Result: amd_dbgapi_global_address_t.
	 */
	AMD_DBGAPI_DISPATCH_INFO_KERNEL_COMPLETION_ADDRESS = 17,
} amd_dbgapi_dispatch_info_t;

/**
 * Query a dispatch.
 *
 * @dispatch_id: the dispatch.
 * @query: the query, which determines the type of the result.
 * @value_size: the size of @value in bytes. It must be the size of the result's type.
 * @value: set to the result.
 *
 * Return:
 * - SUCCESS: @value holds the result.
 * - ERROR_INVALID_DISPATCH_ID: @dispatch_id names no dispatch.
 * - ERROR_NOT_SUPPORTED: the query is not supported for queues of its type.
 * - ERROR_INVALID_ARGUMENT: @value is NULL or @query is not one of the queries.
 * - ERROR_INVALID_ARGUMENT_COMPATIBILITY: @value_size is not the size of the result.
 * - ERROR_CLIENT_CALLBACK: allocate_memory returned NULL.
 * - FATAL or ERROR_NOT_INITIALIZED: as for every function.
 */
amd_dbgapi_status_t AMD_DBGAPI amd_dbgapi_dispatch_get_info(amd_dbgapi_dispatch_id_t dispatch_id,
							    amd_dbgapi_dispatch_info_t query,
							    size_t value_size,
							    void *value) AMD_DBGAPI_VERSION_0_82;

/** Whether a dispatch waits for the packets before it. */
typedef enum {
	/** The dispatch may start while they run. */
	AMD_DBGAPI_DISPATCH_BARRIER_NONE = 0,
	/** The dispatch starts when they have ended. */
	AMD_DBGAPI_DISPATCH_BARRIER_PRESENT = 1
} amd_dbgapi_dispatch_barrier_t;

/** The scope of a memory fence. */
typedef enum {
	/** No fence. */
	AMD_DBGAPI_DISPATCH_FENCE_SCOPE_NONE = 0,
	/** Within the agent. */
	AMD_DBGAPI_DISPATCH_FENCE_SCOPE_AGENT = 1,
	/** With all agents and the host. */
	AMD_DBGAPI_DISPATCH_FENCE_SCOPE_SYSTEM = 2
} amd_dbgapi_dispatch_fence_scope_t;

/**
 * List the dispatches of a process that have waves.
 *
 * @process_id: the process whose dispatches; AMD_DBGAPI_PROCESS_NONE returns those of all attached
 *   processes, and none if no process is attached.
 * @dispatch_count: how many handles @dispatches holds; 0 with a NULL list.
 * @dispatches: an array of @dispatch_count handles, allocated for the client; NULL if there are
 *   none, or if @changed is set to NO.
 * @changed: NULL to get the list in any case. Otherwise set to whether the list has changed since
 *   it was last fetched with @changed, and the list is returned only if it has. See "Lists".
 *
 * Return:
 * - SUCCESS: @dispatch_count, @dispatches and, if given, *@changed are set.
 * - ERROR_INVALID_PROCESS_ID: @process_id names no attached process.
 * - ERROR_INVALID_ARGUMENT: @dispatch_count or @dispatches is NULL. The process is checked first.
 * - ERROR_CLIENT_CALLBACK: allocate_memory returned NULL. Nothing is altered.
 * - FATAL or ERROR_NOT_INITIALIZED: as for every function.
 */
amd_dbgapi_status_t AMD_DBGAPI
amd_dbgapi_process_dispatch_list(amd_dbgapi_process_id_t process_id, size_t *dispatch_count,
				 amd_dbgapi_dispatch_id_t **dispatches,
				 amd_dbgapi_changed_t *changed) AMD_DBGAPI_VERSION_0_54;

#if AMD_DBGAPI_LEVEL >= 82
/*
 * Clusters
 *
 * A cluster is some workgroups of a dispatch that run at the same time and reach each other's local
 * memory. Not all architectures have them.
 */

/** A cluster. */
typedef struct {
	uint64_t handle;
} amd_dbgapi_cluster_id_t;

/** The null handle: stands for no cluster. */
#define AMD_DBGAPI_CLUSTER_NONE AMD_DBGAPI_HANDLE_LITERAL(amd_dbgapi_cluster_id_t, 0)

/** Queries for amd_dbgapi_cluster_get_info. */
typedef enum {
	/**
	 * Its dispatch.
	 *
	 * Result: amd_dbgapi_dispatch_id_t.
	 */
	AMD_DBGAPI_CLUSTER_INFO_DISPATCH = 1,
	/**
	 * The queue of its dispatch.
	 *
	 * Result: amd_dbgapi_queue_id_t.
	 */
	AMD_DBGAPI_CLUSTER_INFO_QUEUE = 2,
	/**
	 * The agent that runs it.
	 *
	 * Result: amd_dbgapi_agent_id_t.
	 */
	AMD_DBGAPI_CLUSTER_INFO_AGENT = 3,
	/**
	 * Its process.
	 *
	 * Result: amd_dbgapi_process_id_t.
	 */
	AMD_DBGAPI_CLUSTER_INFO_PROCESS = 4,
	/**
	 * The architecture of its agent.
	 *
	 * Result: amd_dbgapi_architecture_id_t.
	 */
	AMD_DBGAPI_CLUSTER_INFO_ARCHITECTURE = 5,
	/**
	 * Its place in the grid, in clusters, in x, y and z. Not available if it is not known.
	 *
	 * Result: uint32_t[3].
	 */
	AMD_DBGAPI_CLUSTER_INFO_CLUSTER_COORD = 6
} amd_dbgapi_cluster_info_t;

/**
 * Ask about a cluster.
 *
 * @cluster_id: the cluster.
 * @query: what to ask; it decides the type of the result.
 * @value_size: bytes at @value; exactly the size of the result.
 * @value: where the result goes; unaltered on error.
 *
 * Return:
 * - SUCCESS: @value holds the result.
 * - ERROR_INVALID_CLUSTER_ID: @cluster_id names no cluster.
 * - ERROR_INVALID_ARGUMENT: @value is NULL or @query is not one of the queries.
 * - ERROR_INVALID_ARGUMENT_COMPATIBILITY: @value_size is not the size of the result.
 * - ERROR_NOT_AVAILABLE: CLUSTER_COORD is not known.
 * - FATAL or ERROR_NOT_INITIALIZED: as for every function.
 */
amd_dbgapi_status_t AMD_DBGAPI amd_dbgapi_cluster_get_info(amd_dbgapi_cluster_id_t cluster_id,
							   amd_dbgapi_cluster_info_t query,
							   size_t value_size,
							   void *value) AMD_DBGAPI_VERSION_0_82;
#endif

#if AMD_DBGAPI_LEVEL >= 64
/*
 * Workgroups
 *
 * A workgroup is a part of a dispatch whose waves run together: they share local memory and
 * synchronize at barriers. It exists from its first wave to its last.
 */

/** A workgroup. */
typedef struct {
	uint64_t handle;
} amd_dbgapi_workgroup_id_t;

/** The null handle: no workgroup. */
#define AMD_DBGAPI_WORKGROUP_NONE AMD_DBGAPI_HANDLE_LITERAL(amd_dbgapi_workgroup_id_t, 0)

/** The queries of amd_dbgapi_workgroup_get_info. */
typedef enum {
	/**
	 * Its dispatch. The null handle if it is not known: see AMD_DBGAPI_WAVE_INFO_DISPATCH.
	 *
	 * Result: amd_dbgapi_dispatch_id_t.
	 */
	AMD_DBGAPI_WORKGROUP_INFO_DISPATCH = 1,
	/**
	 * The queue of its dispatch.
	 *
	 * Result: amd_dbgapi_queue_id_t.
	 */
	AMD_DBGAPI_WORKGROUP_INFO_QUEUE = 2,
	/**
	 * The agent that runs it.
	 *
	 * Result: amd_dbgapi_agent_id_t.
	 */
	AMD_DBGAPI_WORKGROUP_INFO_AGENT = 3,
	/**
	 * Its process.
	 *
	 * Result: amd_dbgapi_process_id_t.
	 */
	AMD_DBGAPI_WORKGROUP_INFO_PROCESS = 4,
	/**
	 * The architecture of its agent.
	 *
	 * Result: amd_dbgapi_architecture_id_t.
	 */
	AMD_DBGAPI_WORKGROUP_INFO_ARCHITECTURE = 5,
	/**
	 * Its place in the grid, in workgroups, in x, y and z. Not available if it is not known:
	 * see AMD_DBGAPI_WAVE_INFO_WORKGROUP_COORD.
	 *
	 * Result: uint32_t[3].
	 */
	AMD_DBGAPI_WORKGROUP_INFO_WORKGROUP_COORD = 6,
#if AMD_DBGAPI_LEVEL >= 82
	/**
	 * Its cluster. Not available where there are no clusters.
	 *
	 * Result: amd_dbgapi_cluster_id_t.
	 */
	AMD_DBGAPI_WORKGROUP_INFO_CLUSTER = 7,
	/**
	 * Its place in the cluster, in workgroups, in x, y and z. Not available where there are no
	 * clusters.
	 *
	 * Result: uint32_t[3].
	 */
	AMD_DBGAPI_WORKGROUP_INFO_WORKGROUP_COORD_IN_CLUSTER = 8,
#endif
} amd_dbgapi_workgroup_info_t;

/**
 * Query a workgroup.
 *
 * @workgroup_id: the workgroup.
 * @query: the query, which determines the type of the result.
 * @value_size: the size of @value in bytes. It must be the size of the result's type.
 * @value: set to the result.
 *
 * Return:
 * - SUCCESS: @value holds the result.
 * - ERROR_INVALID_WORKGROUP_ID: @workgroup_id names no workgroup.
 * - ERROR_INVALID_ARGUMENT: @value is NULL or @query is not one of the queries.
 * - ERROR_INVALID_ARGUMENT_COMPATIBILITY: @value_size is not the size of the result.
 * - ERROR_NOT_AVAILABLE: WORKGROUP_COORD, or what depends on it, is not known.
 * - ERROR_CLIENT_CALLBACK: allocate_memory returned NULL.
 * - FATAL or ERROR_NOT_INITIALIZED: as for every function.
 */
amd_dbgapi_status_t AMD_DBGAPI amd_dbgapi_workgroup_get_info(amd_dbgapi_workgroup_id_t workgroup_id,
							     amd_dbgapi_workgroup_info_t query,
							     size_t value_size,
							     void *value) AMD_DBGAPI_VERSION_0_82;

/**
 * List the workgroups of a process that have waves.
 *
 * @process_id: the process whose workgroups; AMD_DBGAPI_PROCESS_NONE returns those of all attached
 *   processes, and none if no process is attached.
 * @workgroup_count: how many handles @workgroups holds; 0 with a NULL list.
 * @workgroups: an array of @workgroup_count handles, allocated for the client; NULL if there are
 *   none, or if @changed is set to NO.
 * @changed: NULL to get the list in any case. Otherwise set to whether the list has changed since
 *   it was last fetched with @changed, and the list is returned only if it has. See "Lists".
 *
 * Return:
 * - SUCCESS: @workgroup_count, @workgroups and, if given, *@changed are set.
 * - ERROR_INVALID_PROCESS_ID: @process_id names no attached process.
 * - ERROR_INVALID_ARGUMENT: @workgroup_count or @workgroups is NULL. The process is checked first.
 * - ERROR_CLIENT_CALLBACK: allocate_memory returned NULL. Nothing is altered.
 * - FATAL or ERROR_NOT_INITIALIZED: as for every function.
 */
amd_dbgapi_status_t AMD_DBGAPI
amd_dbgapi_process_workgroup_list(amd_dbgapi_process_id_t process_id, size_t *workgroup_count,
				  amd_dbgapi_workgroup_id_t **workgroups,
				  amd_dbgapi_changed_t *changed) AMD_DBGAPI_VERSION_0_64;
#endif

/*
 * Waves
 *
 * A wave executes one instruction stream for 32 or 64 lanes, each lane a work-item. Debuggers treat
 * it like a thread of the host.
 *
 * Waves are created and end without an event; amd_dbgapi_process_wave_list shows them. A handle
 * whose wave has ended returns ERROR_INVALID_WAVE_ID, and a client must expect that of every call
 * for a wave that it did not see stopped.
 *
 * The client sees a wave in one of three states. RUN and SINGLE_STEP change to STOP when the client
 * FETCHES the stop event, not before: even if the wave has stopped, it is still seen as running,
 * has no stop reason, and can be asked to stop until amd_dbgapi_process_next_pending_event has
 * returned its event AMD_DBGAPI_EVENT_KIND_WAVE_STOP. amd_dbgapi_wave_resume changes STOP back,
 * after the event was also PROCESSED.
 *
 *   RUN          --- it stops and the event is fetched ---------------->  STOP
 *   SINGLE_STEP  --- it stops and the event is fetched ---------------->  STOP
 *   STOP         --- the event is processed, amd_dbgapi_wave_resume --->  RUN or SINGLE_STEP
 *
 * A wave that stops does not stop other waves; they continue unless the client stops them.
 */

/** A wave. */
typedef struct {
	uint64_t handle;
} amd_dbgapi_wave_id_t;

/** The null handle: no wave. */
#define AMD_DBGAPI_WAVE_NONE AMD_DBGAPI_HANDLE_LITERAL(amd_dbgapi_wave_id_t, 0)

/** The queries of amd_dbgapi_wave_get_info. */
typedef enum {
	/**
	 * Its state: see "Waves".
	 *
	 * Result: uint32_t, one of amd_dbgapi_wave_state_t.
	 */
	AMD_DBGAPI_WAVE_INFO_STATE = 1,
	/**
	 * Why it has stopped. AMD_DBGAPI_WAVE_STOP_REASON_NONE if the client stopped it.
	 *
	 * Result: uint32_t, a mask of amd_dbgapi_wave_stop_reasons_t; the wave must be stopped.
	 * Before level 0.58 such masks had 64 bits, here and elsewhere: a uint64_t.
	 */
	AMD_DBGAPI_WAVE_INFO_STOP_REASON = 2,
	/**
	 * The watchpoints that it has hit; watchpoint_ids is allocated for the client.
	 *
	 * Result: amd_dbgapi_watchpoint_list_t, allocated for the client; the wave must be stopped.
	 */
	AMD_DBGAPI_WAVE_INFO_WATCHPOINTS = 3,
#if AMD_DBGAPI_LEVEL >= 64
	/**
	 * Its workgroup.
	 *
	 * Result: amd_dbgapi_workgroup_id_t.
	 */
	AMD_DBGAPI_WAVE_INFO_WORKGROUP = 4,
#endif
	/**
	 * Its dispatch. Not available for waves that were launched before hardware was set up to
	 * record it, which the debugger requests when it attaches.
	 *
	 * Result: amd_dbgapi_dispatch_id_t.
	 */
	AMD_DBGAPI_WAVE_INFO_DISPATCH = AMD_DBGAPI_SINCE(64, 5, 4),
	/**
	 * The queue of its dispatch.
	 *
	 * Result: amd_dbgapi_queue_id_t.
	 */
	AMD_DBGAPI_WAVE_INFO_QUEUE = AMD_DBGAPI_SINCE(64, 6, 5),
	/**
	 * The agent that runs it.
	 *
	 * Result: amd_dbgapi_agent_id_t.
	 */
	AMD_DBGAPI_WAVE_INFO_AGENT = AMD_DBGAPI_SINCE(64, 7, 6),
	/**
	 * Its process.
	 *
	 * Result: amd_dbgapi_process_id_t.
	 */
	AMD_DBGAPI_WAVE_INFO_PROCESS = AMD_DBGAPI_SINCE(64, 8, 7),
	/**
	 * The architecture of its agent.
	 *
	 * Result: amd_dbgapi_architecture_id_t.
	 */
	AMD_DBGAPI_WAVE_INFO_ARCHITECTURE = AMD_DBGAPI_SINCE(64, 9, 8),
	/**
	 * The address of its next instruction.
	 *
	 * Result: amd_dbgapi_global_address_t; the wave must be stopped.
	 */
	AMD_DBGAPI_WAVE_INFO_PC = AMD_DBGAPI_SINCE(64, 10, 9),
	/**
	 * Its active lanes: bit n is set if lane n is active.
	 *
	 * Result: uint64_t; the wave must be stopped.
	 */
	AMD_DBGAPI_WAVE_INFO_EXEC_MASK = AMD_DBGAPI_SINCE(64, 11, 10),
#if AMD_DBGAPI_LEVEL >= 64
	/**
	 * The place of its workgroup in the grid, in workgroups, in x, y and z. Not available when
	 * the dispatch is not.
	 *
	 * Result: uint32_t[3].
	 */
	AMD_DBGAPI_WAVE_INFO_WORKGROUP_COORD = 12,
#else
	/** The place of its workgroup: uint32_t[3]. */
	AMD_DBGAPI_WAVE_INFO_WORK_GROUP_COORD = 11,
#endif
#if AMD_DBGAPI_LEVEL >= 64
	/**
	 * Its number within the workgroup, from 0. Work-items are assigned to waves in order, x
	 * first. Not available when the dispatch is not.
	 *
	 * Result: uint32_t.
	 */
	AMD_DBGAPI_WAVE_INFO_WAVE_NUMBER_IN_WORKGROUP = 13,
#else
	/** Its number within the workgroup: uint32_t. */
	AMD_DBGAPI_WAVE_INFO_WAVE_NUMBER_IN_WORK_GROUP = 12,
#endif
	/**
	 * How many lanes it has, active or not.
	 *
	 * Result: size_t.
	 */
	AMD_DBGAPI_WAVE_INFO_LANE_COUNT = AMD_DBGAPI_SINCE(64, 14, 13),
#if AMD_DBGAPI_LEVEL >= 82
	/**
	 * Its cluster. Not available where there are no clusters.
	 *
	 * Result: amd_dbgapi_cluster_id_t.
	 */
	AMD_DBGAPI_WAVE_INFO_CLUSTER = 15,
	/**
	 * The place of its cluster in the grid, in clusters, in x, y and z. Not available where
	 * there are no clusters.
	 *
	 * Result: uint32_t[3].
	 */
	AMD_DBGAPI_WAVE_INFO_CLUSTER_COORD = 16,
	/**
	 * The place of its workgroup in the cluster, in workgroups, in x, y and z. Not available
	 * where there are no clusters.
	 *
	 * Result: uint32_t[3].
	 */
	AMD_DBGAPI_WAVE_INFO_WORKGROUP_COORD_IN_CLUSTER = 17,
#endif
} amd_dbgapi_wave_info_t;

/**
 * Query a wave.
 *
 * @wave_id: the wave.
 * @query: the query, which determines the type of the result.
 * @value_size: the size of @value in bytes. It must be the size of the result's type.
 * @value: set to the result.
 *
 * Return:
 * - SUCCESS: @value holds the result.
 * - ERROR_INVALID_WAVE_ID: @wave_id names no wave.
 * - ERROR_INVALID_ARGUMENT: @value is NULL or @query is not one of the queries.
 * - ERROR_INVALID_ARGUMENT_COMPATIBILITY: @value_size is not the size of the result.
 * - ERROR_NOT_AVAILABLE: the value is not known for this wave.
 * - ERROR_WAVE_NOT_STOPPED: the query requires the state STOP. Checked right after the handle.
 * - ERROR_CLIENT_CALLBACK: allocate_memory returned NULL.
 * - FATAL or ERROR_NOT_INITIALIZED: as for every function.
 */
amd_dbgapi_status_t AMD_DBGAPI amd_dbgapi_wave_get_info(amd_dbgapi_wave_id_t wave_id,
							amd_dbgapi_wave_info_t query,
							size_t value_size,
							void *value) AMD_DBGAPI_VERSION_0_82;

/** The state in which a wave is seen: see "Waves". */
typedef enum {
	/** The wave is running, or its stop event has not been fetched. */
	AMD_DBGAPI_WAVE_STATE_RUN = 1,
	/** The wave is executing one instruction, or its stop event has not been fetched. */
	AMD_DBGAPI_WAVE_STATE_SINGLE_STEP = 2,
	/** The wave is stopped, and its stop event has been fetched. */
	AMD_DBGAPI_WAVE_STATE_STOP = 3
} amd_dbgapi_wave_state_t;

/**
 * Why a wave has stopped, as a mask: there may be several reasons, since a device executes more
 * instructions after a memory operation has failed.
 *
 * With memory violations, address errors, watchpoints and ECC errors the pc may be after the
 * instruction that caused them, unless amd_dbgapi_set_memory_precision has set precise memory. For
 * arithmetic exceptions the same holds with amd_dbgapi_set_alu_exceptions_precision.
 */
typedef enum {
	/** No reason: the client stopped it. */
	AMD_DBGAPI_WAVE_STOP_REASON_NONE = 0,
	/**
	 * A breakpoint instruction. AMD_DBGAPI_ARCHITECTURE_INFO_BREAKPOINT_INSTRUCTION_PC_ADJUST
	 * is the difference of the pc to its address.
	 */
	AMD_DBGAPI_WAVE_STOP_REASON_BREAKPOINT = (1 << 0),
	/** An access to watched memory: see AMD_DBGAPI_WAVE_INFO_WATCHPOINTS. */
	AMD_DBGAPI_WAVE_STOP_REASON_WATCHPOINT = (1 << 1),
	/** A single step is complete. */
	AMD_DBGAPI_WAVE_STOP_REASON_SINGLE_STEP = (1 << 2),
	/** A floating point exception that was enabled: a denormal operand. */
	AMD_DBGAPI_WAVE_STOP_REASON_FP_INPUT_DENORMAL = (1 << 3),
	/** The same: a division by zero. */
	AMD_DBGAPI_WAVE_STOP_REASON_FP_DIVIDE_BY_0 = (1 << 4),
	/** The same: an overflow. */
	AMD_DBGAPI_WAVE_STOP_REASON_FP_OVERFLOW = (1 << 5),
	/** The same: an underflow. */
	AMD_DBGAPI_WAVE_STOP_REASON_FP_UNDERFLOW = (1 << 6),
	/** The same: a rounded result. */
	AMD_DBGAPI_WAVE_STOP_REASON_FP_INEXACT = (1 << 7),
	/** The same: an invalid operation. */
	AMD_DBGAPI_WAVE_STOP_REASON_FP_INVALID_OPERATION = (1 << 8),
	/** An integer division by zero, if enabled. */
	AMD_DBGAPI_WAVE_STOP_REASON_INT_DIVIDE_BY_0 = (1 << 9),
	/**
	 * A debug trap of the program (__builtin_debugtrap). The pc is after it. Without a debugger
	 * it has no effect.
	 */
	AMD_DBGAPI_WAVE_STOP_REASON_DEBUG_TRAP = (1 << 10),
	/** An assert trap of the program (__builtin_trap). The pc is at it. */
	AMD_DBGAPI_WAVE_STOP_REASON_ASSERT_TRAP = (1 << 11),
	/** Another trap of the program. The pc is at it. */
	AMD_DBGAPI_WAVE_STOP_REASON_TRAP = (1 << 12),
	/** An access to memory that is not mapped, or not for this access. */
	AMD_DBGAPI_WAVE_STOP_REASON_MEMORY_VIOLATION = (1 << 13),
#if AMD_DBGAPI_LEVEL >= 76
	/** An address outside its address space or not aligned. */
	AMD_DBGAPI_WAVE_STOP_REASON_ADDRESS_ERROR = (1 << 14),
	/** Older name of AMD_DBGAPI_WAVE_STOP_REASON_ADDRESS_ERROR. */
	AMD_DBGAPI_WAVE_STOP_REASON_APERTURE_VIOLATION AMD_DBGAPI_DEPRECATED =
		AMD_DBGAPI_WAVE_STOP_REASON_ADDRESS_ERROR,
#else
	/** An address outside its address space or not aligned. */
	AMD_DBGAPI_WAVE_STOP_REASON_APERTURE_VIOLATION = (1 << 14),
#endif
	/** Bytes that are no instruction. The pc is at them. */
	AMD_DBGAPI_WAVE_STOP_REASON_ILLEGAL_INSTRUCTION = (1 << 15),
	/** An uncorrectable memory error. */
	AMD_DBGAPI_WAVE_STOP_REASON_ECC_ERROR = (1 << 16),
	/** A hardware error after which the wave does not go on. */
	AMD_DBGAPI_WAVE_STOP_REASON_FATAL_HALT = (1 << 17),
#if AMD_DBGAPI_LEVEL < 58
	/** Used by nobody: the enumeration has 64 bits for it. */
	AMD_DBGAPI_WAVE_STOP_REASON_RESERVED = 1ULL << 63,
#endif
} amd_dbgapi_wave_stop_reasons_t;

/**
 * List the waves of a process, except those that AMD_DBGAPI_WAVE_CREATION_STOP has halted.
 *
 * @process_id: the process whose waves; AMD_DBGAPI_PROCESS_NONE returns those of all attached
 *   processes, and none if no process is attached.
 * @wave_count: how many handles @waves holds; 0 with a NULL list.
 * @waves: an array of @wave_count handles, allocated for the client; NULL if there are none, or if
 *   @changed is set to NO.
 * @changed: NULL to get the list in any case. Otherwise set to whether the list has changed since
 *   it was last fetched with @changed, and the list is returned only if it has. See "Lists".
 *
 * Return:
 * - SUCCESS: @wave_count, @waves and, if given, *@changed are set.
 * - ERROR_INVALID_PROCESS_ID: @process_id names no attached process.
 * - ERROR_INVALID_ARGUMENT: @wave_count or @waves is NULL. The process is checked first.
 * - ERROR_CLIENT_CALLBACK: allocate_memory returned NULL. Nothing is altered.
 * - FATAL or ERROR_NOT_INITIALIZED: as for every function.
 */
amd_dbgapi_status_t AMD_DBGAPI amd_dbgapi_process_wave_list(
	amd_dbgapi_process_id_t process_id, size_t *wave_count, amd_dbgapi_wave_id_t **waves,
	amd_dbgapi_changed_t *changed) AMD_DBGAPI_VERSION_0_54;

/**
 * Stop a wave. One event will follow: AMD_DBGAPI_EVENT_KIND_WAVE_STOP when it has stopped, or
 * AMD_DBGAPI_EVENT_KIND_WAVE_COMMAND_TERMINATED if it ended first. The event is also created in
 * AMD_DBGAPI_PROGRESS_NO_FORWARD, and may be pending when the function returns.
 *
 * If the wave has stopped at an exception and that event has not been fetched, no other event is
 * created. So check the stop reasons after a requested stop, too. A wave that is single-stepping
 * gets WAVE_STOP if it stops, with the SINGLE_STEP reason if the instruction was executed, or
 * WAVE_COMMAND_TERMINATED if the single step could not be completed.
 *
 * @wave_id: the wave.
 *
 * Return:
 * - SUCCESS: the event is pending, or will follow.
 * - ERROR_INVALID_WAVE_ID: no such wave; it may have ended.
 * - ERROR_WAVE_STOPPED: its state is STOP.
 * - ERROR_WAVE_OUTSTANDING_STOP: it was asked to stop before, and that event has not been fetched.
 * - ERROR_PROCESS_FROZEN: its process is frozen.
 * - FATAL or ERROR_NOT_INITIALIZED: as for every function.
 */
amd_dbgapi_status_t AMD_DBGAPI amd_dbgapi_wave_stop(amd_dbgapi_wave_id_t wave_id)
	AMD_DBGAPI_VERSION_0_76;

/** How to resume a wave. */
typedef enum {
	/** The wave executes until something stops it. */
	AMD_DBGAPI_RESUME_MODE_NORMAL = 0,
	/** The wave executes one instruction. */
	AMD_DBGAPI_RESUME_MODE_SINGLE_STEP = 1
} amd_dbgapi_resume_mode_t;

/**
 * Resume a stopped wave. In AMD_DBGAPI_PROGRESS_NO_FORWARD it may not execute before the mode is
 * AMD_DBGAPI_PROGRESS_NORMAL. Its stop reasons are cleared.
 *
 * After AMD_DBGAPI_RESUME_MODE_SINGLE_STEP one event will follow: AMD_DBGAPI_EVENT_KIND_WAVE_STOP,
 * or AMD_DBGAPI_EVENT_KIND_WAVE_COMMAND_TERMINATED if the instruction ended the wave. A wave that
 * was resumed normally may end without an event.
 *
 * The program does not learn why the wave stopped unless the client passes the exception on.
 * @exceptions are reported to the runtime, as they would have been without a debugger; usually this
 * puts the queue into an error state and ends the program. To pass on a stop reason, use the
 * exception that corresponds to it.
 *
 * @wave_id: the wave.
 * @resume_mode: the mode.
 * @exceptions: the exceptions to report to the runtime: a mask of the AMD_DBGAPI_EXCEPTION_WAVE_...
 *   bits, or AMD_DBGAPI_EXCEPTION_NONE.
 *
 * Return:
 * - SUCCESS: the wave is resumed.
 * - ERROR_INVALID_WAVE_ID: no such wave.
 * - ERROR_INVALID_ARGUMENT: @resume_mode is not a mode, or @exceptions has bits other than those of
 *   waves.
 * - ERROR_WAVE_NOT_STOPPED: its state is not STOP.
 * - ERROR_WAVE_NOT_RESUMABLE: its stop event was fetched but not yet processed, or it has stopped
 *   for a reason from which it cannot continue.
 * - ERROR_RESUME_DISPLACED_STEPPING: it has a displaced step to do, and @resume_mode is not
 *   SINGLE_STEP.
 * - ERROR_PROCESS_FROZEN: its process is frozen.
 * - FATAL or ERROR_NOT_INITIALIZED: as for every function.
 */
amd_dbgapi_status_t AMD_DBGAPI
amd_dbgapi_wave_resume(amd_dbgapi_wave_id_t wave_id, amd_dbgapi_resume_mode_t resume_mode,
		       amd_dbgapi_exceptions_t exceptions) AMD_DBGAPI_VERSION_0_76;

/*
 * Displaced stepping
 *
 * To continue from a breakpoint, a wave must execute the instruction that the breakpoint has
 * overwritten. If the instruction were put back for that time, other waves could pass the
 * breakpoint. Displaced stepping executes a copy of the instruction in a buffer, and adjusts
 * results that depend on its address:
 *
 *   amd_dbgapi_displaced_stepping_start        a buffer is taken
 *   amd_dbgapi_wave_resume SINGLE_STEP, then wait for the event
 *   amd_dbgapi_displaced_stepping_complete     the buffer is given back, the pc is put right
 *
 * There are few buffers, but at least one. If none is free, complete other displaced steps first,
 * or try another wave: waves at the same breakpoint may share a buffer. A step that was stopped
 * before its instruction was executed is completed in the same way, and leaves the wave at the
 * breakpoint.
 */

/** A displaced step that has been started and not completed. */
typedef struct {
	uint64_t handle;
} amd_dbgapi_displaced_stepping_id_t;

/** The null handle: no displaced stepping. */
#define AMD_DBGAPI_DISPLACED_STEPPING_NONE                                                         \
	AMD_DBGAPI_HANDLE_LITERAL(amd_dbgapi_displaced_stepping_id_t, 0)

/** The queries of amd_dbgapi_displaced_stepping_get_info. */
typedef enum {
	/**
	 * The process of its wave.
	 *
	 * Result: amd_dbgapi_process_id_t.
	 */
	AMD_DBGAPI_DISPLACED_STEPPING_INFO_PROCESS = 1
} amd_dbgapi_displaced_stepping_info_t;

/**
 * Query a displaced step.
 *
 * @displaced_stepping_id: the displaced stepping.
 * @query: the query, which determines the type of the result.
 * @value_size: the size of @value in bytes. It must be the size of the result's type.
 * @value: set to the result.
 *
 * Return:
 * - SUCCESS: @value holds the result.
 * - ERROR_INVALID_DISPLACED_STEPPING_ID: @displaced_stepping_id names no displaced stepping.
 * - ERROR_INVALID_ARGUMENT: @value is NULL or @query is not one of the queries.
 * - ERROR_INVALID_ARGUMENT_COMPATIBILITY: @value_size is not the size of the result.
 * - ERROR_CLIENT_CALLBACK: allocate_memory returned NULL.
 * - FATAL or ERROR_NOT_INITIALIZED: as for every function.
 */
amd_dbgapi_status_t AMD_DBGAPI
amd_dbgapi_displaced_stepping_get_info(amd_dbgapi_displaced_stepping_id_t displaced_stepping_id,
				       amd_dbgapi_displaced_stepping_info_t query,
				       size_t value_size, void *value) AMD_DBGAPI_VERSION_0_54;

/**
 * Prepare a displaced step of a stopped wave, at its pc. The function may change the pc and other
 * registers, so the client must discard cached values, and must write changed registers before.
 *
 * The wave need not have the state STOP: it is enough that it has in fact stopped, as for reading
 * its registers. The process may be frozen, but not for amd_dbgapi_displaced_stepping_complete.
 * (AMD's library does so, too, but does not document it.)
 *
 * @wave_id: the wave.
 * @saved_instruction_bytes: the bytes that the breakpoint has overwritten, as many as
 *   AMD_DBGAPI_ARCHITECTURE_INFO_BREAKPOINT_INSTRUCTION_SIZE says.
 * @displaced_stepping: set to the new handle.
 *
 * Return:
 * - SUCCESS: the wave is still stopped, and can only be single-stepped.
 * - ERROR_INVALID_ARGUMENT: @saved_instruction_bytes or @displaced_stepping is NULL; checked before
 *   the wave.
 * - ERROR_INVALID_WAVE_ID: no such wave.
 * - ERROR_WAVE_NOT_STOPPED: it runs.
 * - ERROR_DISPLACED_STEPPING_ACTIVE: it has a displaced step already.
 * - ERROR_DISPLACED_STEPPING_BUFFER_NOT_AVAILABLE: all buffers are in use. Try again after others
 *   were completed.
 * - ERROR_MEMORY_ACCESS: the rest of the instruction could not be read, or the buffer not written.
 * - ERROR_ILLEGAL_INSTRUCTION: the bytes are no instruction, or one that cannot be executed
 *   elsewhere. Step it in place.
 * - FATAL or ERROR_NOT_INITIALIZED: as for every function.
 */
amd_dbgapi_status_t AMD_DBGAPI amd_dbgapi_displaced_stepping_start(
	amd_dbgapi_wave_id_t wave_id, const void *saved_instruction_bytes,
	amd_dbgapi_displaced_stepping_id_t *displaced_stepping) AMD_DBGAPI_VERSION_0_76;

/**
 * Complete a displaced step: the pc is set to where it would be without displacement, and the
 * buffer is freed. The wave must be stopped. The instruction was executed if its stop reasons
 * include SINGLE_STEP. The buffer of a wave that has ended is free already.
 *
 * @wave_id: the wave.
 * @displaced_stepping: its displaced step. Invalid afterwards.
 *
 * Return:
 * - SUCCESS: the step is finished.
 * - ERROR_INVALID_WAVE_ID: no such wave.
 * - ERROR_INVALID_DISPLACED_STEPPING_ID: no such displaced step.
 * - ERROR_WAVE_NOT_STOPPED: the wave is running; see above.
 * - ERROR_INVALID_ARGUMENT_COMPATIBILITY: the step is another wave's.
 * - ERROR_PROCESS_FROZEN: its process is frozen.
 * - FATAL or ERROR_NOT_INITIALIZED: as for every function.
 */
amd_dbgapi_status_t AMD_DBGAPI amd_dbgapi_displaced_stepping_complete(
	amd_dbgapi_wave_id_t wave_id,
	amd_dbgapi_displaced_stepping_id_t displaced_stepping) AMD_DBGAPI_VERSION_0_76;

/*
 * Watchpoints
 *
 * A watchpoint stops waves that access a range of global memory. Hardware has a few of them. The
 * size of the range is a power of two, and its address a multiple of the size.
 */

/** A watchpoint. */
typedef struct {
	uint64_t handle;
} amd_dbgapi_watchpoint_id_t;

/** The null handle: no watchpoint. */
#define AMD_DBGAPI_WATCHPOINT_NONE AMD_DBGAPI_HANDLE_LITERAL(amd_dbgapi_watchpoint_id_t, 0)

/** The queries of amd_dbgapi_watchpoint_get_info. */
typedef enum {
	/**
	 * The process it is set in.
	 *
	 * Result: amd_dbgapi_process_id_t.
	 */
	AMD_DBGAPI_WATCHPOINT_INFO_PROCESS = 1,
#if AMD_DBGAPI_LEVEL >= 62
	/**
	 * The address at which it begins, which may be before the requested address.
	 *
	 * Result: amd_dbgapi_global_address_t.
	 */
	AMD_DBGAPI_WATCHPOINT_INFO_ADDRESS = 2,
	/**
	 * How many bytes it covers.
	 *
	 * Result: amd_dbgapi_size_t.
	 */
	AMD_DBGAPI_WATCHPOINT_INFO_SIZE = 3,
#endif
} amd_dbgapi_watchpoint_info_t;

/**
 * Query a watchpoint: the range that it covers in fact.
 *
 * @watchpoint_id: the watchpoint.
 * @query: the query, which determines the type of the result.
 * @value_size: the size of @value in bytes. It must be the size of the result's type.
 * @value: set to the result.
 *
 * Return:
 * - SUCCESS: @value holds the result.
 * - ERROR_INVALID_WATCHPOINT_ID: @watchpoint_id names no watchpoint.
 * - ERROR_INVALID_ARGUMENT: @value is NULL or @query is not one of the queries.
 * - ERROR_INVALID_ARGUMENT_COMPATIBILITY: @value_size is not the size of the result.
 * - ERROR_CLIENT_CALLBACK: allocate_memory returned NULL.
 * - FATAL or ERROR_NOT_INITIALIZED: as for every function.
 */
amd_dbgapi_status_t AMD_DBGAPI amd_dbgapi_watchpoint_get_info(
	amd_dbgapi_watchpoint_id_t watchpoint_id, amd_dbgapi_watchpoint_info_t query,
	size_t value_size, void *value) AMD_DBGAPI_VERSION_0_62;

/** Whether processes share watchpoints. */
typedef enum {
	/** There are none. */
	AMD_DBGAPI_WATCHPOINT_SHARE_KIND_UNSUPPORTED = 0,
	/** Each process has its own. */
	AMD_DBGAPI_WATCHPOINT_SHARE_KIND_UNSHARED = 1,
	/** All processes share them, so none may be left. */
	AMD_DBGAPI_WATCHPOINT_SHARE_KIND_SHARED = 2
} amd_dbgapi_watchpoint_share_kind_t;

/** Which accesses a watchpoint matches. */
typedef enum {
	/** Loads. */
	AMD_DBGAPI_WATCHPOINT_KIND_LOAD = 1,
	/** Stores, and operations that load and store at once (atomics). */
	AMD_DBGAPI_WATCHPOINT_KIND_STORE_AND_RMW = 2,
	/** Only operations that load and store at once. */
	AMD_DBGAPI_WATCHPOINT_KIND_RMW = 3,
	/** All of these. */
	AMD_DBGAPI_WATCHPOINT_KIND_ALL = 4
} amd_dbgapi_watchpoint_kind_t;

/** The result of AMD_DBGAPI_WAVE_INFO_WATCHPOINTS. */
typedef struct {
	/** How many watchpoints were hit. */
	size_t count;
	/** Their handles, allocated for the client; NULL if there are none. */
	amd_dbgapi_watchpoint_id_t *watchpoint_ids;
} amd_dbgapi_watchpoint_list_t;

/**
 * Watch a range of global memory on all agents of a process. The watchpoint covers @address and as
 * much of the range as possible; it may begin before the range and end after it. Query its range,
 * set further watchpoints for what it does not cover, and ignore hits outside the requested range.
 *
 * @process_id: the process.
 * @address: where the range begins.
 * @size: its bytes, more than 0.
 * @kind: which accesses to match.
 * @watchpoint_id: set to the new handle.
 * @watchpoint_address, @watchpoint_size: before level 0.62, set to what it really covers.
 *
 * Return:
 * - SUCCESS: the watchpoint is set.
 * - ERROR_INVALID_PROCESS_ID: no such attached process.
 * - ERROR_NO_WATCHPOINT_AVAILABLE: all are in use.
 * - ERROR_NOT_SUPPORTED: an agent cannot do this, or not this kind.
 * - ERROR_INVALID_ARGUMENT: @watchpoint_id is NULL, @size is 0 or @kind is not a kind.
 * - ERROR_PROCESS_FROZEN: the process is frozen.
 * - FATAL or ERROR_NOT_INITIALIZED: as for every function.
 */
#if AMD_DBGAPI_LEVEL >= 62
amd_dbgapi_status_t AMD_DBGAPI
amd_dbgapi_set_watchpoint(amd_dbgapi_process_id_t process_id, amd_dbgapi_global_address_t address,
			  amd_dbgapi_size_t size, amd_dbgapi_watchpoint_kind_t kind,
			  amd_dbgapi_watchpoint_id_t *watchpoint_id) AMD_DBGAPI_VERSION_0_76;
#else
amd_dbgapi_status_t AMD_DBGAPI amd_dbgapi_set_watchpoint(
	amd_dbgapi_process_id_t process_id, amd_dbgapi_global_address_t address,
	amd_dbgapi_size_t size, amd_dbgapi_watchpoint_kind_t kind,
	amd_dbgapi_watchpoint_id_t *watchpoint_id, amd_dbgapi_global_address_t *watchpoint_address,
	amd_dbgapi_size_t *watchpoint_size) AMD_DBGAPI_VERSION_0_54;
#endif

/**
 * Remove a watchpoint. Waves that have hit it stay stopped, and their pending events remain.
 *
 * @process_id: before level 0.67, the process it is set in.
 * @watchpoint_id: the watchpoint. Invalid afterwards.
 *
 * Return:
 * - SUCCESS: it is removed.
 * - ERROR_INVALID_WATCHPOINT_ID: no such watchpoint.
 * - ERROR_PROCESS_FROZEN: its process is frozen.
 * - FATAL or ERROR_NOT_INITIALIZED: as for every function.
 */
#if AMD_DBGAPI_LEVEL >= 67
amd_dbgapi_status_t AMD_DBGAPI
amd_dbgapi_remove_watchpoint(amd_dbgapi_watchpoint_id_t watchpoint_id) AMD_DBGAPI_VERSION_0_76;
#else
amd_dbgapi_status_t AMD_DBGAPI
amd_dbgapi_remove_watchpoint(amd_dbgapi_process_id_t process_id,
			     amd_dbgapi_watchpoint_id_t watchpoint_id) AMD_DBGAPI_VERSION_0_54;
#endif

/*
 * Registers
 *
 * The registers of an architecture are a fixed list. Which of them a wave has depends on the wave:
 * on how many were allocated for its kernel, on how many lanes it has, and on what the hardware
 * keeps. Names are not unique: where waves of 32 and of 64 lanes exist, there are two registers
 * "v0", of which a wave has one.
 */

/**
 * A group of registers of an architecture for display, such as all vector registers. A register may
 * be in several.
 */
typedef struct {
	uint64_t handle;
} amd_dbgapi_register_class_id_t;

/** The null handle: no register class. */
#define AMD_DBGAPI_REGISTER_CLASS_NONE AMD_DBGAPI_HANDLE_LITERAL(amd_dbgapi_register_class_id_t, 0)

/** The queries of amd_dbgapi_architecture_register_class_get_info. */
typedef enum {
	/**
	 * Its architecture.
	 *
	 * Result: amd_dbgapi_architecture_id_t.
	 */
	AMD_DBGAPI_REGISTER_CLASS_INFO_ARCHITECTURE = 1,
	/**
	 * Its name, unique within the architecture.
	 *
	 * Result: char *, allocated for the client.
	 */
	AMD_DBGAPI_REGISTER_CLASS_INFO_NAME = 2
} amd_dbgapi_register_class_info_t;

/**
 * Query a register class.
 *
 * @register_class_id: the class.
 * @query: the query, which determines the type of the result.
 * @value_size: the size of @value in bytes. It must be the size of the result's type.
 * @value: set to the result.
 *
 * Return:
 * - SUCCESS: @value holds the result.
 * - ERROR_INVALID_REGISTER_CLASS_ID: @register_class_id names no register class.
 * - ERROR_INVALID_ARGUMENT: @value is NULL or @query is not one of the queries.
 * - ERROR_INVALID_ARGUMENT_COMPATIBILITY: @value_size is not the size of the result.
 * - ERROR_CLIENT_CALLBACK: allocate_memory returned NULL.
 * - FATAL or ERROR_NOT_INITIALIZED: as for every function.
 */
amd_dbgapi_status_t AMD_DBGAPI amd_dbgapi_architecture_register_class_get_info(
	amd_dbgapi_register_class_id_t register_class_id, amd_dbgapi_register_class_info_t query,
	size_t value_size, void *value) AMD_DBGAPI_VERSION_0_54;

/**
 * List the register classes of an architecture.
 *
 * @architecture_id: the architecture; checked before the outputs.
 * @register_class_count: set to how many there are.
 * @register_classes: set to an array of @register_class_count handles, allocated for the client.
 *
 * Return:
 * - SUCCESS: both outputs are set.
 * - ERROR_INVALID_ARCHITECTURE_ID: no such architecture.
 * - ERROR_INVALID_ARGUMENT: @register_class_count or @register_classes is NULL.
 * - ERROR_CLIENT_CALLBACK: allocate_memory returned NULL.
 * - FATAL or ERROR_NOT_INITIALIZED: as for every function.
 */
amd_dbgapi_status_t AMD_DBGAPI amd_dbgapi_architecture_register_class_list(
	amd_dbgapi_architecture_id_t architecture_id, size_t *register_class_count,
	amd_dbgapi_register_class_id_t **register_classes) AMD_DBGAPI_VERSION_0_54;

/** A register of an architecture. */
typedef struct {
	uint64_t handle;
} amd_dbgapi_register_id_t;

/** The null handle: no register. */
#define AMD_DBGAPI_REGISTER_NONE AMD_DBGAPI_HANDLE_LITERAL(amd_dbgapi_register_id_t, 0)

/** Properties of a register that matter when it is written or its value is cached, as a mask. */
typedef enum {
	/** No properties. */
	AMD_DBGAPI_REGISTER_PROPERTY_NONE = 0,
	/** The register has read-only bits: after writing it, read it to get its value. */
	AMD_DBGAPI_REGISTER_PROPERTY_READONLY_BITS = (1 << 0),
	/**
	 * Its value may change while the wave is stopped, when other registers are written: do not
	 * cache it.
	 */
	AMD_DBGAPI_REGISTER_PROPERTY_VOLATILE = (1 << 1),
	/** Writing it may change the registers that are VOLATILE. */
	AMD_DBGAPI_REGISTER_PROPERTY_INVALIDATE_VOLATILE = (1 << 2),
#if AMD_DBGAPI_LEVEL < 58
	/** Used by nobody: the enumeration has 64 bits for it. */
	AMD_DBGAPI_REGISTER_PROPERTY_RESERVED = 1ULL << 63,
#endif
} amd_dbgapi_register_properties_t;

/** The queries of amd_dbgapi_register_get_info. */
typedef enum {
	/**
	 * Its architecture.
	 *
	 * Result: amd_dbgapi_architecture_id_t.
	 */
	AMD_DBGAPI_REGISTER_INFO_ARCHITECTURE = 1,
	/**
	 * Its name, such as "s4", "v7", "pc".
	 *
	 * Result: char *, allocated for the client.
	 */
	AMD_DBGAPI_REGISTER_INFO_NAME = 2,
	/**
	 * Its size in bytes: for a vector register that of all lanes.
	 *
	 * Result: amd_dbgapi_size_t.
	 */
	AMD_DBGAPI_REGISTER_INFO_SIZE = 3,
	/**
	 * How to display its value: a type of the same size as the register, in a language similar
	 * to C:
	 *
	 *   type     = scalar | scalar "[" NUMBER "]"
	 *   scalar   = integer | "float" | "double" | "void (*)()" | flags
	 *   integer  = "int32_t" | "uint32_t" | "int64_t" | "uint64_t"
	 *   flags    = ("flags32_t" | "flags64_t") NAME ["{" {field ";"} "}"]
	 *   field    = "bool" NAME "@" BIT
	 *            | (integer | enum) NAME "@" BIT "-" BIT
	 *   enum     = "enum" NAME ["{" [NAME "=" NUMBER {"," NAME "=" NUMBER}] "}"]
	 *
	 * An array has one element for each lane. void (*)() is a code address, which has 8 bytes.
	 * A NAME is a letter followed by letters, digits, "_" and "."; numbers are decimal; the two
	 * bits of a range are its lowest and its highest, and bit 0 is the least significant.
	 * Blanks may separate all parts. Clients parse this text, so it does not change.
	 *
	 * Result: char *, allocated for the client.
	 */
	AMD_DBGAPI_REGISTER_INFO_TYPE = 4,
	/**
	 * Its DWARF register number. Not available for registers that have none.
	 *
	 * Result: uint64_t.
	 */
	AMD_DBGAPI_REGISTER_INFO_DWARF = 5,
	/**
	 * Its properties.
	 *
	 * Result: uint32_t, a mask of amd_dbgapi_register_properties_t.
	 */
	AMD_DBGAPI_REGISTER_INFO_PROPERTIES = 6
} amd_dbgapi_register_info_t;

/**
 * Query a register. Here NULL is checked before the query.
 *
 * @register_id: the register.
 * @query: the query, which determines the type of the result.
 * @value_size: the size of @value in bytes. It must be the size of the result's type.
 * @value: set to the result.
 *
 * Return:
 * - SUCCESS: @value holds the result.
 * - ERROR_INVALID_REGISTER_ID: @register_id names no register.
 * - ERROR_INVALID_ARGUMENT: @value is NULL or @query is not one of the queries.
 * - ERROR_INVALID_ARGUMENT_COMPATIBILITY: @value_size is not the size of the result.
 * - ERROR_NOT_AVAILABLE: DWARF of a register without a number.
 * - ERROR_CLIENT_CALLBACK: allocate_memory returned NULL.
 * - FATAL or ERROR_NOT_INITIALIZED: as for every function.
 */
amd_dbgapi_status_t AMD_DBGAPI amd_dbgapi_register_get_info(amd_dbgapi_register_id_t register_id,
							    amd_dbgapi_register_info_t query,
							    size_t value_size,
							    void *value) AMD_DBGAPI_VERSION_0_70;

/** Whether a wave has a register. */
typedef enum {
	/** The wave does not have the register. */
	AMD_DBGAPI_REGISTER_ABSENT = 0,
	/** The wave has the register. */
	AMD_DBGAPI_REGISTER_PRESENT = 1
} amd_dbgapi_register_exists_t;

/**
 * Get whether a wave has a register. The wave may be running.
 *
 * @wave_id: the wave.
 * @register_id: the register.
 * @exists: set to the result.
 *
 * Return:
 * - SUCCESS: *@exists is set.
 * - ERROR_INVALID_WAVE_ID: no such wave.
 * - ERROR_INVALID_REGISTER_ID: no such register.
 * - ERROR_INVALID_ARGUMENT: @exists is NULL.
 * - ERROR_INVALID_ARGUMENT_COMPATIBILITY: the register is of another architecture than the wave.
 * - FATAL or ERROR_NOT_INITIALIZED: as for every function.
 */
amd_dbgapi_status_t AMD_DBGAPI
amd_dbgapi_wave_register_exists(amd_dbgapi_wave_id_t wave_id, amd_dbgapi_register_id_t register_id,
				amd_dbgapi_register_exists_t *exists) AMD_DBGAPI_VERSION_0_54;

/**
 * List all registers of an architecture, in a fixed order, by which clients number them.
 *
 * @architecture_id: the architecture; checked before the outputs.
 * @register_count: set to how many there are.
 * @registers: set to an array of @register_count handles, allocated for the client.
 *
 * Return:
 * - SUCCESS: both outputs are set.
 * - ERROR_INVALID_ARCHITECTURE_ID: no such architecture.
 * - ERROR_INVALID_ARGUMENT: @register_count or @registers is NULL.
 * - ERROR_CLIENT_CALLBACK: allocate_memory returned NULL.
 * - FATAL or ERROR_NOT_INITIALIZED: as for every function.
 */
amd_dbgapi_status_t AMD_DBGAPI amd_dbgapi_architecture_register_list(
	amd_dbgapi_architecture_id_t architecture_id, size_t *register_count,
	amd_dbgapi_register_id_t **registers) AMD_DBGAPI_VERSION_0_54;

/**
 * List the registers that a wave has, in the order of the architecture.
 *
 * @wave_id: the wave.
 * @register_count: set to how many it has.
 * @registers: set to an array of @register_count handles, allocated for the client.
 *
 * Return:
 * - SUCCESS: both outputs are set.
 * - ERROR_INVALID_WAVE_ID: no such wave.
 * - ERROR_INVALID_ARGUMENT: @register_count or @registers is NULL.
 * - ERROR_CLIENT_CALLBACK: allocate_memory returned NULL.
 * - FATAL or ERROR_NOT_INITIALIZED: as for every function.
 */
amd_dbgapi_status_t AMD_DBGAPI
amd_dbgapi_wave_register_list(amd_dbgapi_wave_id_t wave_id, size_t *register_count,
			      amd_dbgapi_register_id_t **registers) AMD_DBGAPI_VERSION_0_54;

/**
 * Find a register by its DWARF number.
 *
 * @architecture_id: the architecture.
 * @dwarf_register: the number.
 * @register_id: set to the register.
 *
 * Return:
 * - SUCCESS: *@register_id is set.
 * - ERROR_INVALID_ARCHITECTURE_ID: no such architecture.
 * - ERROR_INVALID_ARGUMENT: @register_id is NULL.
 * - ERROR_INVALID_ARGUMENT_COMPATIBILITY: the architecture has no register with this number.
 * - FATAL or ERROR_NOT_INITIALIZED: as for every function.
 */
amd_dbgapi_status_t AMD_DBGAPI amd_dbgapi_dwarf_register_to_register(
	amd_dbgapi_architecture_id_t architecture_id, uint64_t dwarf_register,
	amd_dbgapi_register_id_t *register_id) AMD_DBGAPI_VERSION_0_54;

/** Whether a register is in a class. */
typedef enum {
	/** The register is not in the class. */
	AMD_DBGAPI_REGISTER_CLASS_STATE_NOT_MEMBER = 0,
	/** The register is in the class. */
	AMD_DBGAPI_REGISTER_CLASS_STATE_MEMBER = 1
} amd_dbgapi_register_class_state_t;

/**
 * Get whether a register is in a class.
 *
 * @register_class_id: the class.
 * @register_id: the register.
 * @register_class_state: set to the result.
 *
 * Return:
 * - SUCCESS: *@register_class_state is set.
 * - ERROR_INVALID_REGISTER_CLASS_ID: no such class.
 * - ERROR_INVALID_REGISTER_ID: no such register.
 * - ERROR_INVALID_ARGUMENT: @register_class_state is NULL.
 * - ERROR_INVALID_ARGUMENT_COMPATIBILITY: they are of different architectures.
 * - FATAL or ERROR_NOT_INITIALIZED: as for every function.
 */
amd_dbgapi_status_t AMD_DBGAPI amd_dbgapi_register_is_in_register_class(
	amd_dbgapi_register_class_id_t register_class_id, amd_dbgapi_register_id_t register_id,
	amd_dbgapi_register_class_state_t *register_class_state) AMD_DBGAPI_VERSION_0_54;

/**
 * Read a register, or some bytes of it, of a stopped wave. Byte 0 is the least significant; in a
 * vector register those of lane 0 come first. Checks come in this order: wave, register, whether
 * the wave is stopped, NULL and 0, architecture and range, presence.
 *
 * The wave need not have the state STOP: registers can be read as soon as the wave has in fact
 * stopped, even before its stop event is fetched.
 *
 * @wave_id: the wave.
 * @register_id: the register.
 * @offset: the first byte to read.
 * @value_size: how many bytes to read, at least 1.
 * @value: where they go.
 *
 * Return:
 * - SUCCESS: @value holds @value_size bytes.
 * - ERROR_INVALID_WAVE_ID: no such wave.
 * - ERROR_INVALID_REGISTER_ID: no such register.
 * - ERROR_WAVE_NOT_STOPPED: it runs.
 * - ERROR_INVALID_ARGUMENT: @value is NULL or @value_size is 0.
 * - ERROR_INVALID_ARGUMENT_COMPATIBILITY: the register is of another architecture than the wave, or
 *   the bytes extend past its end.
 * - ERROR_REGISTER_NOT_AVAILABLE: the wave has no such register.
 * - FATAL or ERROR_NOT_INITIALIZED: as for every function.
 */
amd_dbgapi_status_t AMD_DBGAPI amd_dbgapi_read_register(amd_dbgapi_wave_id_t wave_id,
							amd_dbgapi_register_id_t register_id,
							amd_dbgapi_size_t offset,
							amd_dbgapi_size_t value_size,
							void *value) AMD_DBGAPI_VERSION_0_62;

/**
 * Write a register, or some bytes of it, of a stopped wave. Checks and bytes are as for
 * amd_dbgapi_read_register; other bytes and read-only bits do not change. The register's properties
 * say what else may change.
 *
 * @wave_id: the wave.
 * @register_id: the register.
 * @offset: the first byte to write.
 * @value_size: how many bytes to write, at least 1.
 * @value: the bytes.
 *
 * Return:
 * - SUCCESS: the register has the new value.
 * - ERROR_INVALID_WAVE_ID: no such wave.
 * - ERROR_INVALID_REGISTER_ID: no such register.
 * - ERROR_WAVE_NOT_STOPPED: it runs.
 * - ERROR_DISPLACED_STEPPING_ACTIVE: it has a displaced step in work, in which registers must not
 *   change.
 * - ERROR_INVALID_ARGUMENT: @value is NULL or @value_size is 0.
 * - ERROR_INVALID_ARGUMENT_COMPATIBILITY: the register is of another architecture than the wave, or
 *   the bytes extend past its end.
 * - ERROR_REGISTER_NOT_AVAILABLE: the wave has no such register.
 * - ERROR_PROCESS_FROZEN: its process is frozen.
 * - FATAL or ERROR_NOT_INITIALIZED: as for every function.
 */
amd_dbgapi_status_t AMD_DBGAPI amd_dbgapi_write_register(amd_dbgapi_wave_id_t wave_id,
							 amd_dbgapi_register_id_t register_id,
							 amd_dbgapi_size_t offset,
							 amd_dbgapi_size_t value_size,
							 const void *value) AMD_DBGAPI_VERSION_0_76;

/**
 * Announce that registers will be read, so that the library can fetch them together. Reading them
 * may be faster; there is no other effect.
 *
 * @wave_id: the wave.
 * @register_id: the first register.
 * @register_count: how many, counted in the order of amd_dbgapi_wave_register_list; those past the
 *   last one are ignored.
 *
 * Return:
 * - SUCCESS: they may have been fetched.
 * - ERROR_INVALID_WAVE_ID: no such wave.
 * - ERROR_INVALID_REGISTER_ID: no such register.
 * - ERROR_WAVE_NOT_STOPPED: it runs.
 * - ERROR_INVALID_ARGUMENT_COMPATIBILITY: the register is of another architecture than the wave.
 * - ERROR_REGISTER_NOT_AVAILABLE: the wave has no such register.
 * - FATAL or ERROR_NOT_INITIALIZED: as for every function.
 */
amd_dbgapi_status_t AMD_DBGAPI
amd_dbgapi_prefetch_register(amd_dbgapi_wave_id_t wave_id, amd_dbgapi_register_id_t register_id,
			     amd_dbgapi_size_t register_count) AMD_DBGAPI_VERSION_0_62;

/** The information of AMD_DBGAPI_INSTRUCTION_KIND_DIRECT_CALL_REGISTER_PAIR. */
typedef struct {
	/** The target of the call. */
	amd_dbgapi_global_address_t target_address;
	/**
	 * The pair of registers to which the return address is written: its low, then its high 32
	 * bits.
	 */
	amd_dbgapi_register_id_t saved_return_address_register[2];
} amd_dbgapi_direct_call_register_pair_information_t;

/* Lanes */

/** A lane of a wave: 0 to one less than AMD_DBGAPI_WAVE_INFO_LANE_COUNT. */
typedef uint32_t amd_dbgapi_lane_id_t;

/** Stands for no lane, where an address does not depend on one. */
#define AMD_DBGAPI_LANE_NONE ((amd_dbgapi_lane_id_t)(-1))

/*
 * Address spaces and memory
 *
 * An address belongs to an address space. A device has several: "global", which the host and all
 * devices see; "local", the memory of a workgroup; "private_lane", the memory of one lane, and
 * "private_wave", that of the lanes of a wave as it is interleaved in storage; "generic", which
 * contains the others in ranges of its own; "region", where hardware has it. So the byte that an
 * address refers to may depend on the wave and on the lane.
 *
 * An address class is a kind of memory of a source language, with its DWARF number. It is in one
 * address space.
 */

/** An address class of an architecture. */
typedef struct {
	uint64_t handle;
} amd_dbgapi_address_class_id_t;

/** The null handle: no address class. */
#define AMD_DBGAPI_ADDRESS_CLASS_NONE AMD_DBGAPI_HANDLE_LITERAL(amd_dbgapi_address_class_id_t, 0)

/** The queries of amd_dbgapi_address_class_get_info. */
typedef enum {
#if AMD_DBGAPI_LEVEL < 62
	/**
	 * Its architecture.
	 *
	 * Result: amd_dbgapi_architecture_id_t.
	 */
	AMD_DBGAPI_ADDRESS_CLASS_INFO_ARCHITECTURE = 1,
#endif
	/**
	 * Its name.
	 *
	 * Result: char *, allocated for the client.
	 */
	AMD_DBGAPI_ADDRESS_CLASS_INFO_NAME = AMD_DBGAPI_SINCE(62, 1, 2),
	/**
	 * The address space that its addresses are in.
	 *
	 * Result: amd_dbgapi_address_space_id_t.
	 */
	AMD_DBGAPI_ADDRESS_CLASS_INFO_ADDRESS_SPACE = AMD_DBGAPI_SINCE(62, 2, 3),
	/**
	 * Its number in DWARF.
	 *
	 * Result: uint64_t.
	 */
	AMD_DBGAPI_ADDRESS_CLASS_INFO_DWARF = AMD_DBGAPI_SINCE(62, 3, 4)
} amd_dbgapi_address_class_info_t;

/**
 * Query an address class.
 *
 * @address_class_id: the class.
 * @query: the query, which determines the type of the result.
 * @value_size: the size of @value in bytes. It must be the size of the result's type.
 * @value: set to the result.
 *
 * Return:
 * - SUCCESS: @value holds the result.
 * - ERROR_INVALID_ADDRESS_CLASS_ID: @address_class_id names no address class.
 * - ERROR_INVALID_ARGUMENT: @value is NULL or @query is not one of the queries.
 * - ERROR_INVALID_ARGUMENT_COMPATIBILITY: @value_size is not the size of the result.
 * - ERROR_CLIENT_CALLBACK: allocate_memory returned NULL.
 * - FATAL or ERROR_NOT_INITIALIZED: as for every function.
 */
amd_dbgapi_status_t AMD_DBGAPI amd_dbgapi_address_class_get_info(
	amd_dbgapi_address_class_id_t address_class_id, amd_dbgapi_address_class_info_t query,
	size_t value_size, void *value) AMD_DBGAPI_VERSION_0_62;

/**
 * List the address classes of an architecture.
 *
 * @architecture_id: the architecture; checked before the outputs.
 * @address_class_count: set to how many there are.
 * @address_classes: set to an array of @address_class_count handles, allocated for the client.
 *
 * Return:
 * - SUCCESS: both outputs are set.
 * - ERROR_INVALID_ARCHITECTURE_ID: no such architecture.
 * - ERROR_INVALID_ARGUMENT: @address_class_count or @address_classes is NULL.
 * - ERROR_CLIENT_CALLBACK: allocate_memory returned NULL.
 * - FATAL or ERROR_NOT_INITIALIZED: as for every function.
 */
amd_dbgapi_status_t AMD_DBGAPI amd_dbgapi_architecture_address_class_list(
	amd_dbgapi_architecture_id_t architecture_id, size_t *address_class_count,
	amd_dbgapi_address_class_id_t **address_classes) AMD_DBGAPI_VERSION_0_54;

/**
 * Find an address class by its DWARF number.
 *
 * @architecture_id: the architecture.
 * @dwarf_address_class: the number.
 * @address_class_id: set to the class.
 *
 * Return:
 * - SUCCESS: *@address_class_id is set.
 * - ERROR_INVALID_ARCHITECTURE_ID: no such architecture.
 * - ERROR_INVALID_ARGUMENT: @address_class_id is NULL.
 * - ERROR_INVALID_ARGUMENT_COMPATIBILITY: the architecture has no class with this number.
 * - FATAL or ERROR_NOT_INITIALIZED: as for every function.
 */
amd_dbgapi_status_t AMD_DBGAPI amd_dbgapi_dwarf_address_class_to_address_class(
	amd_dbgapi_architecture_id_t architecture_id, uint64_t dwarf_address_class,
	amd_dbgapi_address_class_id_t *address_class_id) AMD_DBGAPI_VERSION_0_54;

/**
 * An address space of an architecture. All architectures share AMD_DBGAPI_ADDRESS_SPACE_GLOBAL.
 */
typedef struct {
	uint64_t handle;
} amd_dbgapi_address_space_id_t;

/** The null handle: no address space. */
#define AMD_DBGAPI_ADDRESS_SPACE_NONE AMD_DBGAPI_HANDLE_LITERAL(amd_dbgapi_address_space_id_t, 0)

/** The global address space of every architecture, which needs neither wave nor lane. */
#define AMD_DBGAPI_ADDRESS_SPACE_GLOBAL AMD_DBGAPI_HANDLE_LITERAL(amd_dbgapi_address_space_id_t, 1)

/** When the memory of an address space may change. */
typedef enum {
	/** At any time. */
	AMD_DBGAPI_ADDRESS_SPACE_ACCESS_ALL = 1,
	/** Not while the program runs. */
	AMD_DBGAPI_ADDRESS_SPACE_ACCESS_PROGRAM_CONSTANT = 2,
	/** Not during a dispatch; the host may change it between dispatches. */
	AMD_DBGAPI_ADDRESS_SPACE_ACCESS_DISPATCH_CONSTANT = 3
} amd_dbgapi_address_space_access_t;

/** The queries of amd_dbgapi_address_space_get_info. */
typedef enum {
#if AMD_DBGAPI_LEVEL < 62
	/**
	 * Its architecture.
	 *
	 * Result: amd_dbgapi_architecture_id_t.
	 */
	AMD_DBGAPI_ADDRESS_SPACE_INFO_ARCHITECTURE = 1,
#endif
	/**
	 * Its name.
	 *
	 * Result: char *, allocated for the client.
	 */
	AMD_DBGAPI_ADDRESS_SPACE_INFO_NAME = AMD_DBGAPI_SINCE(62, 1, 2),
	/**
	 * How many bits an address has: 64 or 32. (AMD's documentation says bytes; its library
	 * returns bits.)
	 *
	 * Result: amd_dbgapi_size_t.
	 */
	AMD_DBGAPI_ADDRESS_SPACE_INFO_ADDRESS_SIZE = AMD_DBGAPI_SINCE(62, 2, 3),
	/**
	 * The NULL address.
	 *
	 * Result: amd_dbgapi_segment_address_t.
	 */
	AMD_DBGAPI_ADDRESS_SPACE_INFO_NULL_ADDRESS = AMD_DBGAPI_SINCE(62, 3, 4),
	/**
	 * When its memory may change.
	 *
	 * Result: uint32_t, one of amd_dbgapi_address_space_access_t.
	 */
	AMD_DBGAPI_ADDRESS_SPACE_INFO_ACCESS = AMD_DBGAPI_SINCE(62, 4, 5),
	/**
	 * Its number in DWARF.
	 *
	 * Result: uint64_t.
	 */
	AMD_DBGAPI_ADDRESS_SPACE_INFO_DWARF = AMD_DBGAPI_SINCE(62, 5, 6)
} amd_dbgapi_address_space_info_t;

/**
 * Query an address space.
 *
 * @address_space_id: the address space.
 * @query: the query, which determines the type of the result.
 * @value_size: the size of @value in bytes. It must be the size of the result's type.
 * @value: set to the result.
 *
 * Return:
 * - SUCCESS: @value holds the result.
 * - ERROR_INVALID_ADDRESS_SPACE_ID: @address_space_id names no address space.
 * - ERROR_INVALID_ARGUMENT: @value is NULL or @query is not one of the queries.
 * - ERROR_INVALID_ARGUMENT_COMPATIBILITY: @value_size is not the size of the result.
 * - ERROR_CLIENT_CALLBACK: allocate_memory returned NULL.
 * - FATAL or ERROR_NOT_INITIALIZED: as for every function.
 */
amd_dbgapi_status_t AMD_DBGAPI amd_dbgapi_address_space_get_info(
	amd_dbgapi_address_space_id_t address_space_id, amd_dbgapi_address_space_info_t query,
	size_t value_size, void *value) AMD_DBGAPI_VERSION_0_62;

/**
 * List the address spaces of an architecture.
 *
 * @architecture_id: the architecture; checked before the outputs.
 * @address_space_count: set to how many there are.
 * @address_spaces: set to an array of @address_space_count handles, allocated for the client.
 *
 * Return:
 * - SUCCESS: both outputs are set.
 * - ERROR_INVALID_ARCHITECTURE_ID: no such architecture.
 * - ERROR_INVALID_ARGUMENT: @address_space_count or @address_spaces is NULL.
 * - ERROR_CLIENT_CALLBACK: allocate_memory returned NULL.
 * - FATAL or ERROR_NOT_INITIALIZED: as for every function.
 */
amd_dbgapi_status_t AMD_DBGAPI amd_dbgapi_architecture_address_space_list(
	amd_dbgapi_architecture_id_t architecture_id, size_t *address_space_count,
	amd_dbgapi_address_space_id_t **address_spaces) AMD_DBGAPI_VERSION_0_54;

/**
 * Find an address space by its DWARF number.
 *
 * @architecture_id: the architecture.
 * @dwarf_address_space: the number.
 * @address_space_id: set to the address space.
 *
 * Return:
 * - SUCCESS: *@address_space_id is set.
 * - ERROR_INVALID_ARCHITECTURE_ID: no such architecture.
 * - ERROR_INVALID_ARGUMENT: @address_space_id is NULL.
 * - ERROR_INVALID_ARGUMENT_COMPATIBILITY: the architecture has no address space with this number.
 * - FATAL or ERROR_NOT_INITIALIZED: as for every function.
 */
amd_dbgapi_status_t AMD_DBGAPI amd_dbgapi_dwarf_address_space_to_address_space(
	amd_dbgapi_architecture_id_t architecture_id, uint64_t dwarf_address_space,
	amd_dbgapi_address_space_id_t *address_space_id) AMD_DBGAPI_VERSION_0_54;

/**
 * An address in an address space. It has the low AMD_DBGAPI_ADDRESS_SPACE_INFO_ADDRESS_SIZE bits;
 * others are ignored.
 */
typedef uint64_t amd_dbgapi_segment_address_t;

#if AMD_DBGAPI_LEVEL < 62
/** Whether two address spaces can name the same memory. */
typedef enum {
	/** They never do. */
	AMD_DBGAPI_ADDRESS_SPACE_ALIAS_NONE = 0,
	/** They may. */
	AMD_DBGAPI_ADDRESS_SPACE_ALIAS_MAY = 1
} amd_dbgapi_address_space_alias_t;

/**
 * Tell whether addresses of two address spaces may stand for the same memory.
 *
 * @address_space_id1, @address_space_id2: the two.
 * @address_space_alias: set to the answer.
 *
 * Return:
 * - SUCCESS: the answer is set.
 * - ERROR_INVALID_ADDRESS_SPACE_ID: no such address space, for one of the two.
 * - ERROR_INVALID_ARGUMENT: @address_space_alias is NULL.
 * - ERROR_INVALID_ARGUMENT_COMPATIBILITY: they are of different architectures.
 * - FATAL or ERROR_NOT_INITIALIZED: as for every function.
 */
amd_dbgapi_status_t AMD_DBGAPI amd_dbgapi_address_spaces_may_alias(
	amd_dbgapi_address_space_id_t address_space_id1,
	amd_dbgapi_address_space_id_t address_space_id2,
	amd_dbgapi_address_space_alias_t *address_space_alias) AMD_DBGAPI_VERSION_0_54;
#endif

/**
 * Convert an address from one address space to the address of the same byte in another, for
 * instance a generic address to one in local memory. The NULL address becomes the NULL address.
 *
 * Contiguous bytes in one address space may not be contiguous in the other: private memory of the
 * lanes is interleaved word by word in global memory. So the result is valid for a number of bytes
 * only; convert again for those after them.
 *
 * @process_id: from level 0.81 on, the process whose memory is meant.
 * @wave_id: the wave that uses the address, or AMD_DBGAPI_WAVE_NONE where only the global address
 *   space is concerned.
 * @lane_id: the lane that uses it, or AMD_DBGAPI_LANE_NONE where no lane matters.
 * @source_address_space_id: where the address is from.
 * @source_segment_address: the address.
 * @destination_address_space_id: the address space to convert to.
 * @destination_segment_address: set to the address there; bits it does not have are 0.
 * @destination_contiguous_bytes: from level 0.62 on, set to how many bytes, from there on, still
 *   answer to those from the source address on.
 *
 * Return:
 * - SUCCESS: both outputs are set.
 * - ERROR_INVALID_PROCESS_ID: from level 0.81 on, @process_id names no attached process.
 * - ERROR_INVALID_WAVE_ID: no such wave, or no wave where one is needed.
 * - ERROR_INVALID_LANE_ID: the wave has no such lane, a lane without a wave, or no lane where one
 *   is needed.
 * - ERROR_INVALID_ADDRESS_SPACE_ID: no such address space, for one of the two.
 * - ERROR_INVALID_ADDRESS_SPACE_CONVERSION: the other space has no such address.
 * - ERROR_INVALID_ARGUMENT: an output is NULL.
 * - ERROR_INVALID_ARGUMENT_COMPATIBILITY: an address space is of another architecture than the
 *   wave.
 * - FATAL or ERROR_NOT_INITIALIZED: as for every function.
 */
#if AMD_DBGAPI_LEVEL >= 81
amd_dbgapi_status_t AMD_DBGAPI amd_dbgapi_convert_address_space(
	amd_dbgapi_process_id_t process_id, amd_dbgapi_wave_id_t wave_id,
	amd_dbgapi_lane_id_t lane_id, amd_dbgapi_address_space_id_t source_address_space_id,
	amd_dbgapi_segment_address_t source_segment_address,
	amd_dbgapi_address_space_id_t destination_address_space_id,
	amd_dbgapi_segment_address_t *destination_segment_address,
	amd_dbgapi_size_t *destination_contiguous_bytes) AMD_DBGAPI_VERSION_0_81;
#elif AMD_DBGAPI_LEVEL >= 62
amd_dbgapi_status_t AMD_DBGAPI amd_dbgapi_convert_address_space(
	amd_dbgapi_wave_id_t wave_id, amd_dbgapi_lane_id_t lane_id,
	amd_dbgapi_address_space_id_t source_address_space_id,
	amd_dbgapi_segment_address_t source_segment_address,
	amd_dbgapi_address_space_id_t destination_address_space_id,
	amd_dbgapi_segment_address_t *destination_segment_address,
	amd_dbgapi_size_t *destination_contiguous_bytes) AMD_DBGAPI_VERSION_0_62;
#else
amd_dbgapi_status_t AMD_DBGAPI amd_dbgapi_convert_address_space(
	amd_dbgapi_wave_id_t wave_id, amd_dbgapi_lane_id_t lane_id,
	amd_dbgapi_address_space_id_t source_address_space_id,
	amd_dbgapi_segment_address_t source_segment_address,
	amd_dbgapi_address_space_id_t destination_address_space_id,
	amd_dbgapi_segment_address_t *destination_segment_address) AMD_DBGAPI_VERSION_0_54;
#endif

#if AMD_DBGAPI_LEVEL >= 64
/** Things on which the meaning of an address depends. */
typedef enum {
	/** On nothing. No address space has this dependency. */
	AMD_DBGAPI_SEGMENT_ADDRESS_DEPENDENCE_NONE = 0,
	/** On the lane. */
	AMD_DBGAPI_SEGMENT_ADDRESS_DEPENDENCE_LANE = 1,
	/** On the wave. */
	AMD_DBGAPI_SEGMENT_ADDRESS_DEPENDENCE_WAVE = 2,
	/** On the workgroup. */
	AMD_DBGAPI_SEGMENT_ADDRESS_DEPENDENCE_WORKGROUP = 3,
	/** On the agent. */
	AMD_DBGAPI_SEGMENT_ADDRESS_DEPENDENCE_AGENT = 4,
	/** On the process only. */
	AMD_DBGAPI_SEGMENT_ADDRESS_DEPENDENCE_PROCESS = 5
} amd_dbgapi_segment_address_dependency_t;

/**
 * Get what the meaning of an address depends on, so that a client can share cached memory. In the
 * generic address space it differs by address.
 *
 * @process_id: from level 0.79 on, the process whose memory is meant.
 * @wave_id: from level 0.79 on, the wave that uses the address, or AMD_DBGAPI_WAVE_NONE for one
 *   that is the same for the whole process.
 * @address_space_id: the address space.
 * @segment_address: the address.
 * @segment_address_dependency: set to the dependency.
 *
 * Return:
 * - SUCCESS: the answer is set.
 * - ERROR_INVALID_PROCESS_ID, ERROR_INVALID_WAVE_ID: no such process, no such wave.
 * - ERROR_INVALID_ADDRESS_SPACE_ID: no such address space.
 * - ERROR_INVALID_ARGUMENT: @segment_address_dependency is NULL.
 * - ERROR_INVALID_ARGUMENT_COMPATIBILITY: the address space is of another architecture than the
 *   wave; or there is no wave, and the address means something to one only.
 * - FATAL or ERROR_NOT_INITIALIZED: as for every function.
 */
#if AMD_DBGAPI_LEVEL >= 79
amd_dbgapi_status_t AMD_DBGAPI
amd_dbgapi_address_dependency(amd_dbgapi_process_id_t process_id, amd_dbgapi_wave_id_t wave_id,
			      amd_dbgapi_address_space_id_t address_space_id,
			      amd_dbgapi_segment_address_t segment_address,
			      amd_dbgapi_segment_address_dependency_t *segment_address_dependency)
	AMD_DBGAPI_VERSION_0_79;
#else
amd_dbgapi_status_t AMD_DBGAPI
amd_dbgapi_address_dependency(amd_dbgapi_address_space_id_t address_space_id,
			      amd_dbgapi_segment_address_t segment_address,
			      amd_dbgapi_segment_address_dependency_t *segment_address_dependency)
	AMD_DBGAPI_VERSION_0_64;
#endif
#endif

/** Whether an address is in an address class. */
typedef enum {
	/** The address is not in the class. */
	AMD_DBGAPI_ADDRESS_CLASS_STATE_NOT_MEMBER = 0,
	/** The address is in the class. */
	AMD_DBGAPI_ADDRESS_CLASS_STATE_MEMBER = 1
} amd_dbgapi_address_class_state_t;

/**
 * Get whether an address is in an address class: whether a generic address, for instance, is in
 * local memory.
 *
 * @wave_id: the wave that uses the address, or AMD_DBGAPI_WAVE_NONE if only the global address
 *   space is involved.
 * @lane_id: the lane that uses it, or AMD_DBGAPI_LANE_NONE if the address does not depend on one.
 * @address_space_id: the address space of the address.
 * @segment_address: the address.
 * @address_class_id: the class.
 * @address_class_state: set to the result.
 *
 * Return:
 * - SUCCESS: *@address_class_state is set.
 * - ERROR_INVALID_WAVE_ID: no such wave, or no wave where one is needed.
 * - ERROR_INVALID_LANE_ID: the wave has no such lane, a lane without a wave, or no lane where one
 *   is needed.
 * - ERROR_INVALID_ADDRESS_SPACE_ID: no such address space.
 * - ERROR_INVALID_ADDRESS_CLASS_ID: no such address class.
 * - ERROR_INVALID_ARGUMENT: @address_class_state is NULL.
 * - ERROR_INVALID_ARGUMENT_COMPATIBILITY: address space, class and wave are not of one
 *   architecture.
 * - FATAL or ERROR_NOT_INITIALIZED: as for every function.
 */
amd_dbgapi_status_t AMD_DBGAPI amd_dbgapi_address_is_in_address_class(
	amd_dbgapi_wave_id_t wave_id, amd_dbgapi_lane_id_t lane_id,
	amd_dbgapi_address_space_id_t address_space_id,
	amd_dbgapi_segment_address_t segment_address,
	amd_dbgapi_address_class_id_t address_class_id,
	amd_dbgapi_address_class_state_t *address_class_state) AMD_DBGAPI_VERSION_0_54;

/**
 * Read memory as a wave or a lane sees it. If only the first part of the range can be read, the
 * call succeeds with a smaller size. What the wave has written is seen even if it is in a cache;
 * other waves must be stopped for what they have written to be seen.
 *
 * Checks come in this order: process, NULL, address space, wave, whether it is stopped, whether the
 * space fits it, lane; then the access.
 *
 * @process_id: the process; always checked; with a wave it must be the wave's process.
 * @wave_id: the wave for which the address is valid. May be AMD_DBGAPI_WAVE_NONE for the global
 *   address space. The wave must have stopped, even if the address does not depend on it.
 * @lane_id: the lane for which it is valid, or AMD_DBGAPI_LANE_NONE if the address does not depend
 *   on one. A lane is checked even if the address does not depend on it.
 * @address_space_id: the address space.
 * @segment_address: the first byte.
 * @value_size: in: how many bytes to read; 0 is a success that does nothing. Out: how many were
 *   read.
 * @value: set to the bytes. Those after the ones that were read do not change.
 *
 * Return:
 * - SUCCESS: *@value_size bytes were read.
 * - ERROR_INVALID_PROCESS_ID: no such attached process.
 * - ERROR_INVALID_WAVE_ID: no such wave, or no wave where the address space is not global.
 * - ERROR_INVALID_LANE_ID: the wave has no such lane, a lane without a wave, or no lane where the
 *   address depends on one.
 * - ERROR_INVALID_ADDRESS_SPACE_ID: no such address space.
 * - ERROR_WAVE_NOT_STOPPED: the wave runs.
 * - ERROR_INVALID_ARGUMENT: @value or @value_size is NULL.
 * - ERROR_INVALID_ARGUMENT_COMPATIBILITY: the wave is of another process, or the address space of
 *   another architecture than the wave.
 * - ERROR_MEMORY_ACCESS: not one byte could be read. *@value_size is set to 0.
 * - ERROR_MEMORY_UNAVAILABLE: from level 0.78 on, the same of memory that is there but cannot be
 *   reached now. No error but these two changes *@value_size.
 * - FATAL or ERROR_NOT_INITIALIZED: as for every function.
 */
amd_dbgapi_status_t AMD_DBGAPI
amd_dbgapi_read_memory(amd_dbgapi_process_id_t process_id, amd_dbgapi_wave_id_t wave_id,
		       amd_dbgapi_lane_id_t lane_id, amd_dbgapi_address_space_id_t address_space_id,
		       amd_dbgapi_segment_address_t segment_address, amd_dbgapi_size_t *value_size,
		       void *value) AMD_DBGAPI_VERSION_0_78;

/**
 * Write memory as a wave or a lane sees it. If only the first part can be written, the call
 * succeeds with a smaller size. Instruction caches are invalidated, so that breakpoints can be
 * written into code; waves that are to see the change must be stopped during the write.
 *
 * Checks are in the order of amd_dbgapi_read_memory; the one for a frozen process follows that for
 * NULL.
 *
 * @process_id: the process; always checked; with a wave it must be the wave's process.
 * @wave_id: the wave for which the address is valid. May be AMD_DBGAPI_WAVE_NONE for the global
 *   address space. The wave must have stopped, even if the address does not depend on it.
 * @lane_id: the lane for which it is valid, or AMD_DBGAPI_LANE_NONE if the address does not depend
 *   on one. A lane is checked even if the address does not depend on it.
 * @address_space_id: the address space.
 * @segment_address: the first byte.
 * @value_size: in: how many bytes to write; 0 is a success that does nothing. Out: how many were
 *   written.
 * @value: the bytes.
 *
 * Return:
 * - SUCCESS: *@value_size bytes were written.
 * - ERROR_INVALID_PROCESS_ID: no such attached process.
 * - ERROR_INVALID_WAVE_ID: no such wave, or no wave where the address space is not global.
 * - ERROR_INVALID_LANE_ID: the wave has no such lane, a lane without a wave, or no lane where the
 *   address depends on one.
 * - ERROR_INVALID_ADDRESS_SPACE_ID: no such address space.
 * - ERROR_WAVE_NOT_STOPPED: the wave runs.
 * - ERROR_INVALID_ARGUMENT: @value or @value_size is NULL.
 * - ERROR_INVALID_ARGUMENT_COMPATIBILITY: the wave is of another process, or the address space of
 *   another architecture than the wave.
 * - ERROR_MEMORY_ACCESS: not one byte could be written. *@value_size is set to 0.
 * - ERROR_MEMORY_UNAVAILABLE: from level 0.78 on, the same of memory that is there but cannot be
 *   reached now. No error but these two changes *@value_size.
 * - ERROR_PROCESS_FROZEN: the process is frozen.
 * - FATAL or ERROR_NOT_INITIALIZED: as for every function.
 */
amd_dbgapi_status_t AMD_DBGAPI amd_dbgapi_write_memory(
	amd_dbgapi_process_id_t process_id, amd_dbgapi_wave_id_t wave_id,
	amd_dbgapi_lane_id_t lane_id, amd_dbgapi_address_space_id_t address_space_id,
	amd_dbgapi_segment_address_t segment_address, amd_dbgapi_size_t *value_size,
	const void *value) AMD_DBGAPI_VERSION_0_78;

/** Whether a wave that stops for a memory operation does so at the instruction that caused it. */
typedef enum {
	/** The pc may be after it. */
	AMD_DBGAPI_MEMORY_PRECISION_NONE = 0,
	/**
	 * The pc is at or directly after that instruction. The device waits for each memory
	 * operation, which is slow.
	 */
	AMD_DBGAPI_MEMORY_PRECISION_PRECISE = 1
} amd_dbgapi_memory_precision_t;

/**
 * Set whether memory faults and watchpoints are precise, on all agents of the process and for all
 * instructions executed from now on.
 *
 * @process_id: the process.
 * @memory_precision: the mode.
 *
 * Return:
 * - SUCCESS: the mode is set.
 * - ERROR_INVALID_PROCESS_ID: no such attached process.
 * - ERROR_INVALID_ARGUMENT: @memory_precision is not a mode.
 * - ERROR_NOT_SUPPORTED: an agent cannot be precise. The mode does not change.
 * - FATAL or ERROR_NOT_INITIALIZED: as for every function.
 */
amd_dbgapi_status_t AMD_DBGAPI amd_dbgapi_set_memory_precision(
	amd_dbgapi_process_id_t process_id,
	amd_dbgapi_memory_precision_t memory_precision) AMD_DBGAPI_VERSION_0_54;

#if AMD_DBGAPI_LEVEL >= 77
/**
 * Whether a wave that stops for an arithmetic exception does so at the instruction that caused it.
 */
typedef enum {
	/** The pc may be after it. */
	AMD_DBGAPI_ALU_EXCEPTIONS_PRECISION_NONE = 0,
	/** The pc is at that instruction. The device waits for each operation to complete. */
	AMD_DBGAPI_ALU_EXCEPTIONS_PRECISION_PRECISE = 1
} amd_dbgapi_alu_exceptions_precision_t;

/**
 * Set whether arithmetic exceptions are precise, on all agents of the process and for all
 * instructions executed from now on.
 *
 * @process_id: the process.
 * @alu_exceptions_precision: the mode.
 *
 * Return:
 * - SUCCESS: the mode is set.
 * - ERROR_INVALID_PROCESS_ID: no such attached process.
 * - ERROR_INVALID_ARGUMENT: @alu_exceptions_precision is not a mode.
 * - ERROR_NOT_SUPPORTED: an agent cannot be precise. The mode does not change.
 * - FATAL or ERROR_NOT_INITIALIZED: as for every function.
 */
amd_dbgapi_status_t AMD_DBGAPI amd_dbgapi_set_alu_exceptions_precision(
	amd_dbgapi_process_id_t process_id,
	amd_dbgapi_alu_exceptions_precision_t alu_exceptions_precision) AMD_DBGAPI_VERSION_0_77;
#endif

/*
 * Events
 *
 * What happens in a process is queued as events. The notifier (AMD_DBGAPI_PROCESS_INFO_NOTIFIER)
 * becomes readable when an event is queued outside of a call. It may be readable when no event is
 * queued. To fetch all events:
 *
 *   wait until the notifier is readable
 *   read it byte by byte until that fails other than with EINTR      <- first reset it,
 *   do {
 *           amd_dbgapi_process_next_pending_event                    <- then fetch all
 *           ...
 *           amd_dbgapi_event_processed
 *   } while there was one
 *
 * In this order no event is missed. An event is queued, then fetched, then processed. Its handle is
 * valid from fetching to processing. Each fetched event must be processed, once: a wave cannot be
 * resumed before, and for some kinds a thread of the host is stopped until then.
 */

/** An event that has been fetched and not yet processed. */
typedef struct {
	uint64_t handle;
} amd_dbgapi_event_id_t;

/** The null handle: no event. */
#define AMD_DBGAPI_EVENT_NONE AMD_DBGAPI_HANDLE_LITERAL(amd_dbgapi_event_id_t, 0)

/** The kind of an event: what has happened. */
typedef enum {
	/** Nothing: no event is pending. */
	AMD_DBGAPI_EVENT_KIND_NONE = 0,
	/**
	 * A wave has stopped, at an exception or on request. Its state is STOP when this event has
	 * been fetched.
	 */
	AMD_DBGAPI_EVENT_KIND_WAVE_STOP = 1,
	/**
	 * A wave that was asked to stop or to single-step ended instead. Its handle is usually
	 * invalid. The client has to remember which command it was.
	 */
	AMD_DBGAPI_EVENT_KIND_WAVE_COMMAND_TERMINATED = 2,
	/**
	 * Code objects were loaded or unloaded. The host thread that did it is stopped until the
	 * event is processed, so that breakpoints can be set before new code executes.
	 * AMD_DBGAPI_EVENT_KIND_BREAKPOINT_RESUME may follow.
	 */
	AMD_DBGAPI_EVENT_KIND_CODE_OBJECT_LIST_UPDATED = 3,
	/**
	 * A host thread that the client has stopped because of AMD_DBGAPI_BREAKPOINT_ACTION_HALT
	 * can continue. Resume it, then process the event.
	 */
	AMD_DBGAPI_EVENT_KIND_BREAKPOINT_RESUME = 4,
	/**
	 * The runtime in the process was loaded or unloaded, or a runtime was loaded that the
	 * library does not support. While none is loaded there are no code objects and waves. A
	 * host thread may be stopped until the event is processed.
	 */
	AMD_DBGAPI_EVENT_KIND_RUNTIME = 5,
	/**
	 * A queue is in an error state. Its waves do not execute, and those that were
	 * single-stepping got WAVE_COMMAND_TERMINATED. The runtime is informed when the event is
	 * processed, and may then destroy the queue with all its waves; inspect them before.
	 * Libraries that do not track errors of queues do not have this event.
	 */
	AMD_DBGAPI_EVENT_KIND_QUEUE_ERROR = 6
} amd_dbgapi_event_kind_t;

/**
 * Fetch the oldest event that is pending. Each is returned once.
 *
 * @process_id: the process, or AMD_DBGAPI_PROCESS_NONE for all attached ones.
 * @event_id: set to the event, or to AMD_DBGAPI_EVENT_NONE.
 * @kind: set to its kind, or to AMD_DBGAPI_EVENT_KIND_NONE.
 *
 * Return:
 * - SUCCESS: both outputs are set, also if nothing is pending.
 * - ERROR_INVALID_ARGUMENT: @event_id or @kind is NULL; checked before the process.
 * - ERROR_INVALID_PROCESS_ID: no such attached process.
 * - FATAL or ERROR_NOT_INITIALIZED: as for every function.
 */
amd_dbgapi_status_t AMD_DBGAPI amd_dbgapi_process_next_pending_event(
	amd_dbgapi_process_id_t process_id, amd_dbgapi_event_id_t *event_id,
	amd_dbgapi_event_kind_t *kind) AMD_DBGAPI_VERSION_0_54;

/** The state of the runtime in a process. */
typedef enum {
	/** The runtime is loaded, and can be debugged. */
	AMD_DBGAPI_RUNTIME_STATE_LOADED_SUCCESS = 1,
	/** The runtime was unloaded. */
	AMD_DBGAPI_RUNTIME_STATE_UNLOADED = 2,
	/**
	 * The runtime is loaded, and cannot be debugged: see AMD_DBGAPI_STATUS_ERROR_RESTRICTION.
	 */
	AMD_DBGAPI_RUNTIME_STATE_LOADED_ERROR_RESTRICTION = 3
} amd_dbgapi_runtime_state_t;

/** The queries of amd_dbgapi_event_get_info, for events of the kinds given. */
typedef enum {
	/**
	 * Its process. All kinds.
	 *
	 * Result: amd_dbgapi_process_id_t.
	 */
	AMD_DBGAPI_EVENT_INFO_PROCESS = 1,
	/**
	 * Its kind. All kinds.
	 *
	 * Result: amd_dbgapi_event_kind_t.
	 */
	AMD_DBGAPI_EVENT_INFO_KIND = 2,
	/**
	 * The wave. WAVE_STOP and WAVE_COMMAND_TERMINATED.
	 *
	 * Result: amd_dbgapi_wave_id_t.
	 */
	AMD_DBGAPI_EVENT_INFO_WAVE = 3,
	/**
	 * The breakpoint. BREAKPOINT_RESUME.
	 *
	 * Result: amd_dbgapi_breakpoint_id_t.
	 */
	AMD_DBGAPI_EVENT_INFO_BREAKPOINT = 4,
	/**
	 * The client's id of the thread to resume. BREAKPOINT_RESUME.
	 *
	 * Result: amd_dbgapi_client_thread_id_t.
	 */
	AMD_DBGAPI_EVENT_INFO_CLIENT_THREAD = 5,
	/**
	 * The state of the runtime. RUNTIME.
	 *
	 * Result: uint32_t, one of amd_dbgapi_runtime_state_t.
	 */
	AMD_DBGAPI_EVENT_INFO_RUNTIME_STATE = 6,
	/**
	 * The queue. QUEUE_ERROR.
	 *
	 * Result: amd_dbgapi_queue_id_t.
	 */
	AMD_DBGAPI_EVENT_INFO_QUEUE = 7
} amd_dbgapi_event_info_t;

/**
 * Query an event.
 *
 * @event_id: the event.
 * @query: the query, which determines the type of the result.
 * @value_size: the size of @value in bytes. It must be the size of the result's type.
 * @value: set to the result.
 *
 * Return:
 * - SUCCESS: @value holds the result.
 * - ERROR_INVALID_EVENT_ID: @event_id names no event that was fetched and not yet processed.
 * - ERROR_INVALID_ARGUMENT: @value is NULL, or @query is not one for this kind of event.
 * - ERROR_INVALID_ARGUMENT_COMPATIBILITY: @value_size is not the size of the result.
 * - ERROR_CLIENT_CALLBACK: allocate_memory returned NULL.
 * - FATAL or ERROR_NOT_INITIALIZED: as for every function.
 */
amd_dbgapi_status_t AMD_DBGAPI amd_dbgapi_event_get_info(amd_dbgapi_event_id_t event_id,
							 amd_dbgapi_event_info_t query,
							 size_t value_size,
							 void *value) AMD_DBGAPI_VERSION_0_54;

/**
 * Report that an event has been processed. A host thread that was stopped for it continues.
 *
 * @event_id: the event. Invalid afterwards.
 *
 * Return:
 * - SUCCESS: the event is gone.
 * - ERROR_INVALID_EVENT_ID: no such event, or one that was processed.
 * - ERROR_INVALID_ARGUMENT: not returned at this level, since the function has no other parameter.
 * - FATAL or ERROR_NOT_INITIALIZED: as for every function.
 */
amd_dbgapi_status_t AMD_DBGAPI amd_dbgapi_event_processed(amd_dbgapi_event_id_t event_id)
	AMD_DBGAPI_VERSION_0_54;

/*
 * Logging
 *
 * The library prints nothing by itself: messages go to the client's log_message callback.
 */

/** The log level: messages of a level and of all lower ones are sent. */
typedef enum {
	/** None. */
	AMD_DBGAPI_LOG_LEVEL_NONE = 0,
	/** Why a function returned FATAL. */
	AMD_DBGAPI_LOG_LEVEL_FATAL_ERROR = 1,
	/** Problems that do not prevent debugging. */
	AMD_DBGAPI_LOG_LEVEL_WARNING = 2,
	/** Steps that the library takes. */
	AMD_DBGAPI_LOG_LEVEL_INFO = 3,
	/** All calls with arguments and results. */
	AMD_DBGAPI_LOG_LEVEL_TRACE = 4,
	/** Everything. */
	AMD_DBGAPI_LOG_LEVEL_VERBOSE = 5
} amd_dbgapi_log_level_t;

/**
 * Set the log level. May be called at any time; messages are sent while the library is initialized.
 * An invalid level is ignored. The default is AMD_DBGAPI_LOG_LEVEL_NONE.
 *
 * @level: the level.
 */
void AMD_DBGAPI amd_dbgapi_set_log_level(amd_dbgapi_log_level_t level) AMD_DBGAPI_VERSION_0_54;

/*
 * Breakpoints of the library
 *
 * The library needs to know when the runtime in a process loads code. So it requests breakpoints in
 * host code from the client, which controls the host threads, inserts them and reports when they
 * are hit.
 */

/** A breakpoint that the library has requested. */
typedef struct {
	uint64_t handle;
} amd_dbgapi_breakpoint_id_t;

/** The null handle: no breakpoint. */
#define AMD_DBGAPI_BREAKPOINT_NONE AMD_DBGAPI_HANDLE_LITERAL(amd_dbgapi_breakpoint_id_t, 0)

/** The queries of amd_dbgapi_breakpoint_get_info. */
typedef enum {
	/**
	 * Its process.
	 *
	 * Result: amd_dbgapi_process_id_t.
	 */
	AMD_DBGAPI_BREAKPOINT_INFO_PROCESS = 1
} amd_dbgapi_breakpoint_info_t;

/**
 * Query a breakpoint.
 *
 * @breakpoint_id: the breakpoint.
 * @query: the query, which determines the type of the result.
 * @value_size: the size of @value in bytes. It must be the size of the result's type.
 * @value: set to the result.
 *
 * Return:
 * - SUCCESS: @value holds the result.
 * - ERROR_INVALID_BREAKPOINT_ID: @breakpoint_id names no breakpoint.
 * - ERROR_INVALID_ARGUMENT: @value is NULL or @query is not one of the queries.
 * - ERROR_INVALID_ARGUMENT_COMPATIBILITY: @value_size is not the size of the result.
 * - ERROR_CLIENT_CALLBACK: allocate_memory returned NULL.
 * - FATAL or ERROR_NOT_INITIALIZED: as for every function.
 */
amd_dbgapi_status_t AMD_DBGAPI amd_dbgapi_breakpoint_get_info(
	amd_dbgapi_breakpoint_id_t breakpoint_id, amd_dbgapi_breakpoint_info_t query,
	size_t value_size, void *value) AMD_DBGAPI_VERSION_0_54;

/** Actions for a host thread that has hit a breakpoint. */
typedef enum {
	/** Resume it. */
	AMD_DBGAPI_BREAKPOINT_ACTION_RESUME = 1,
	/** Keep it stopped until an event AMD_DBGAPI_EVENT_KIND_BREAKPOINT_RESUME for it. */
	AMD_DBGAPI_BREAKPOINT_ACTION_HALT = 2
} amd_dbgapi_breakpoint_action_t;

/**
 * The client's id of a host thread. The library only returns it in an event
 * AMD_DBGAPI_EVENT_KIND_BREAKPOINT_RESUME.
 */
typedef struct amd_dbgapi_client_thread_s *amd_dbgapi_client_thread_id_t;

/**
 * Report that a host thread has hit a breakpoint of the library. The thread is stopped during the
 * call. If it must stay stopped, events are pending: when they have been fetched and processed, the
 * one that resumes it follows.
 *
 * @breakpoint_id: the breakpoint.
 * @client_thread_id: the thread.
 * @breakpoint_action: set to what to do with the thread.
 *
 * Return:
 * - SUCCESS: *@breakpoint_action is set.
 * - ERROR_INVALID_BREAKPOINT_ID: no such breakpoint.
 * - ERROR_INVALID_ARGUMENT: @breakpoint_action is NULL.
 * - FATAL or ERROR_NOT_INITIALIZED: as for every function.
 */
amd_dbgapi_status_t AMD_DBGAPI amd_dbgapi_report_breakpoint_hit(
	amd_dbgapi_breakpoint_id_t breakpoint_id, amd_dbgapi_client_thread_id_t client_thread_id,
	amd_dbgapi_breakpoint_action_t *breakpoint_action) AMD_DBGAPI_VERSION_0_54;

/* Callbacks */

#if AMD_DBGAPI_LEVEL >= 76
/** Queries for the client_process_get_info callback. */
typedef enum {
	/**
	 * The process id, which must not change. If the library is to stop the process, the client
	 * must trace it (ptrace) before it attaches. NOT_AVAILABLE for a core file.
	 *
	 * Result: amd_dbgapi_os_process_id_t.
	 */
	AMD_DBGAPI_CLIENT_PROCESS_INFO_OS_PID = 1,
	/**
	 * The result of AMD_DBGAPI_PROCESS_INFO_CORE_STATE, read from a core file. Its @data comes
	 * from allocate_memory, and the library frees it. NOT_AVAILABLE for a live process, and for
	 * a core file without it.
	 *
	 * Result: amd_dbgapi_core_state_data_t.
	 */
	AMD_DBGAPI_CLIENT_PROCESS_INFO_CORE_STATE = 2
} amd_dbgapi_client_process_info_t;
#endif

/**
 * Functions of the client that the library calls. All must be set. They are called on the thread
 * that has called the library, and must not call the library.
 *
 * The statuses that a callback may return are documented with it; any other makes the calling
 * function fail.
 */
struct amd_dbgapi_callbacks_s {
	/**
	 * Allocate @byte_size bytes, aligned for any type, which the client frees later. NULL if
	 * there is no memory; for 0 bytes NULL is not an error. May be malloc.
	 */
	void *(*allocate_memory)(size_t byte_size);

	/**
	 * Free memory from allocate_memory that is not returned to the client: after an error, or
	 * because only the library used it. NULL is ignored. May be free.
	 */
	void (*deallocate_memory)(void *data);

#if AMD_DBGAPI_LEVEL < 76
	/**
	 * Tell the library the process id of a process, which must stay the same.
	 *
	 * @client_process_id: the process.
	 * @os_pid: where the answer goes.
	 *
	 * Return: SUCCESS; ERROR_INVALID_CLIENT_PROCESS_ID; ERROR_PROCESS_EXITED; ERROR for
	 * anything else.
	 */
	amd_dbgapi_status_t (*get_os_pid)(amd_dbgapi_client_process_id_t client_process_id,
					  amd_dbgapi_os_process_id_t *os_pid);
#else
	/**
	 * Query a process.
	 *
	 * @client_process_id: the process.
	 * @query: the query.
	 * @value_size: the size of @value in bytes.
	 * @value: set to the result.
	 *
	 * Return: SUCCESS; ERROR_INVALID_CLIENT_PROCESS_ID; ERROR_PROCESS_EXITED;
	 * ERROR_INVALID_ARGUMENT if @value is NULL or the query unknown;
	 * ERROR_INVALID_ARGUMENT_COMPATIBILITY for a wrong size; ERROR_NOT_AVAILABLE if there is no
	 * such thing for the process; ERROR for anything else.
	 */
	amd_dbgapi_status_t (*client_process_get_info)(
		amd_dbgapi_client_process_id_t client_process_id,
		amd_dbgapi_client_process_info_t query, size_t value_size, void *value);
#endif

	/**
	 * Insert a breakpoint into host code.
	 *
	 * @client_process_id: the process.
	 * @address: its address, in a loaded shared library or executable.
	 * @breakpoint_id: its handle, for reporting hits. Unique among the breakpoints of the
	 *   process.
	 *
	 * Return: SUCCESS; ERROR_INVALID_CLIENT_PROCESS_ID; ERROR_INVALID_BREAKPOINT_ID if there is
	 * one with this handle; ERROR for anything else. After an error there is no breakpoint.
	 */
	amd_dbgapi_status_t (*insert_breakpoint)(amd_dbgapi_client_process_id_t client_process_id,
						 amd_dbgapi_global_address_t address,
						 amd_dbgapi_breakpoint_id_t breakpoint_id);

	/**
	 * Remove a breakpoint from host code.
	 *
	 * @client_process_id: the process.
	 * @breakpoint_id: the breakpoint, whose hits are no longer reported.
	 *
	 * Return: SUCCESS, also if its library was unloaded and it is gone with it;
	 * ERROR_INVALID_CLIENT_PROCESS_ID; ERROR_INVALID_BREAKPOINT_ID; ERROR for anything else. In
	 * every case it counts as removed.
	 */
	amd_dbgapi_status_t (*remove_breakpoint)(amd_dbgapi_client_process_id_t client_process_id,
						 amd_dbgapi_breakpoint_id_t breakpoint_id);

#if AMD_DBGAPI_LEVEL >= 76
	/**
	 * Read or write global memory of a process, not a cache of the client. A library that can
	 * access the memory itself need not call this.
	 *
	 * @client_process_id: the process.
	 * @global_address: the first byte.
	 * @value_size: in: how many bytes. Out: how many were transferred, which may be fewer.
	 * @read_buffer: set to the bytes that are read; or NULL.
	 * @write_buffer: the bytes to write; or NULL. Exactly one of the two is not NULL.
	 *
	 * Return: SUCCESS; ERROR_INVALID_CLIENT_PROCESS_ID; ERROR_PROCESS_EXITED;
	 * ERROR_INVALID_ARGUMENT_COMPATIBILITY if not exactly one buffer is given;
	 * ERROR_MEMORY_ACCESS if more than 0 bytes were requested and none was transferred, with
	 * *@value_size set to 0.
	 */
	amd_dbgapi_status_t (*xfer_global_memory)(amd_dbgapi_client_process_id_t client_process_id,
						  amd_dbgapi_global_address_t global_address,
						  amd_dbgapi_size_t *value_size, void *read_buffer,
						  const void *write_buffer);
#endif

	/**
	 * Receive a message.
	 *
	 * @level: its level, not above the one that amd_dbgapi_set_log_level has set.
	 * @message: its text, valid during the call.
	 */
	void (*log_message)(amd_dbgapi_log_level_t level, const char *message);
};

/*
 * A client asks for the symbols that functions had at its level, so that it can
 * be linked with a library that has them beside newer ones, as ours have.
 * AMD_DBGAPI_NO_SYMBOL_VERSIONS leaves that to the linker.
 */
#if defined(AMD_DBGAPI_LEVEL_CHOSEN) && !defined(AMD_DBGAPI_EXPORTS) &&                            \
	!defined(AMD_DBGAPI_NO_SYMBOL_VERSIONS)
#define AMD_DBGAPI_AT(name, version)                                                               \
	__asm__(".symver amd_dbgapi_" #name ", amd_dbgapi_" #name "@AMD_DBGAPI_" #version)
#if AMD_DBGAPI_LEVEL >= 76
AMD_DBGAPI_AT(initialize, 0.76);
#else
AMD_DBGAPI_AT(initialize, 0.54);
#endif
#if AMD_DBGAPI_LEVEL >= 82
AMD_DBGAPI_AT(architecture_get_info, 0.82);
#else
AMD_DBGAPI_AT(architecture_get_info, 0.54);
#endif
#if AMD_DBGAPI_LEVEL >= 58
AMD_DBGAPI_AT(classify_instruction, 0.58);
#else
AMD_DBGAPI_AT(classify_instruction, 0.54);
#endif
#if AMD_DBGAPI_LEVEL >= 80
AMD_DBGAPI_AT(process_get_info, 0.80);
#elif AMD_DBGAPI_LEVEL >= 77
AMD_DBGAPI_AT(process_get_info, 0.77);
#else
AMD_DBGAPI_AT(process_get_info, 0.56);
#endif
#if AMD_DBGAPI_LEVEL >= 76
AMD_DBGAPI_AT(process_set_progress, 0.76);
#else
AMD_DBGAPI_AT(process_set_progress, 0.54);
#endif
#if AMD_DBGAPI_LEVEL >= 76
AMD_DBGAPI_AT(process_set_wave_creation, 0.76);
#else
AMD_DBGAPI_AT(process_set_wave_creation, 0.54);
#endif
#if AMD_DBGAPI_LEVEL >= 67
AMD_DBGAPI_AT(agent_get_info, 0.67);
#else
AMD_DBGAPI_AT(agent_get_info, 0.56);
#endif
#if AMD_DBGAPI_LEVEL >= 68
AMD_DBGAPI_AT(queue_get_info, 0.68);
#elif AMD_DBGAPI_LEVEL >= 58
AMD_DBGAPI_AT(queue_get_info, 0.58);
#else
AMD_DBGAPI_AT(queue_get_info, 0.56);
#endif
#if AMD_DBGAPI_LEVEL >= 82
AMD_DBGAPI_AT(dispatch_get_info, 0.82);
#else
AMD_DBGAPI_AT(dispatch_get_info, 0.54);
#endif
#if AMD_DBGAPI_LEVEL >= 82
AMD_DBGAPI_AT(workgroup_get_info, 0.82);
#elif AMD_DBGAPI_LEVEL >= 64
AMD_DBGAPI_AT(workgroup_get_info, 0.64);
#endif
#if AMD_DBGAPI_LEVEL >= 82
AMD_DBGAPI_AT(wave_get_info, 0.82);
#elif AMD_DBGAPI_LEVEL >= 64
AMD_DBGAPI_AT(wave_get_info, 0.64);
#elif AMD_DBGAPI_LEVEL >= 58
AMD_DBGAPI_AT(wave_get_info, 0.58);
#else
AMD_DBGAPI_AT(wave_get_info, 0.54);
#endif
#if AMD_DBGAPI_LEVEL >= 76
AMD_DBGAPI_AT(wave_stop, 0.76);
#else
AMD_DBGAPI_AT(wave_stop, 0.54);
#endif
#if AMD_DBGAPI_LEVEL >= 76
AMD_DBGAPI_AT(wave_resume, 0.76);
#elif AMD_DBGAPI_LEVEL >= 58
AMD_DBGAPI_AT(wave_resume, 0.58);
#else
AMD_DBGAPI_AT(wave_resume, 0.54);
#endif
#if AMD_DBGAPI_LEVEL >= 76
AMD_DBGAPI_AT(displaced_stepping_start, 0.76);
#else
AMD_DBGAPI_AT(displaced_stepping_start, 0.54);
#endif
#if AMD_DBGAPI_LEVEL >= 76
AMD_DBGAPI_AT(displaced_stepping_complete, 0.76);
#else
AMD_DBGAPI_AT(displaced_stepping_complete, 0.54);
#endif
#if AMD_DBGAPI_LEVEL >= 62
AMD_DBGAPI_AT(watchpoint_get_info, 0.62);
#else
AMD_DBGAPI_AT(watchpoint_get_info, 0.54);
#endif
#if AMD_DBGAPI_LEVEL >= 76
AMD_DBGAPI_AT(set_watchpoint, 0.76);
#elif AMD_DBGAPI_LEVEL >= 62
AMD_DBGAPI_AT(set_watchpoint, 0.62);
#else
AMD_DBGAPI_AT(set_watchpoint, 0.54);
#endif
#if AMD_DBGAPI_LEVEL >= 76
AMD_DBGAPI_AT(remove_watchpoint, 0.76);
#elif AMD_DBGAPI_LEVEL >= 67
AMD_DBGAPI_AT(remove_watchpoint, 0.67);
#else
AMD_DBGAPI_AT(remove_watchpoint, 0.54);
#endif
#if AMD_DBGAPI_LEVEL >= 70
AMD_DBGAPI_AT(register_get_info, 0.70);
#elif AMD_DBGAPI_LEVEL >= 58
AMD_DBGAPI_AT(register_get_info, 0.58);
#else
AMD_DBGAPI_AT(register_get_info, 0.56);
#endif
#if AMD_DBGAPI_LEVEL >= 62
AMD_DBGAPI_AT(read_register, 0.62);
#else
AMD_DBGAPI_AT(read_register, 0.54);
#endif
#if AMD_DBGAPI_LEVEL >= 76
AMD_DBGAPI_AT(write_register, 0.76);
#elif AMD_DBGAPI_LEVEL >= 62
AMD_DBGAPI_AT(write_register, 0.62);
#else
AMD_DBGAPI_AT(write_register, 0.54);
#endif
#if AMD_DBGAPI_LEVEL >= 62
AMD_DBGAPI_AT(prefetch_register, 0.62);
#else
AMD_DBGAPI_AT(prefetch_register, 0.54);
#endif
#if AMD_DBGAPI_LEVEL >= 62
AMD_DBGAPI_AT(address_class_get_info, 0.62);
#else
AMD_DBGAPI_AT(address_class_get_info, 0.54);
#endif
#if AMD_DBGAPI_LEVEL >= 62
AMD_DBGAPI_AT(address_space_get_info, 0.62);
#else
AMD_DBGAPI_AT(address_space_get_info, 0.54);
#endif
#if AMD_DBGAPI_LEVEL >= 81
AMD_DBGAPI_AT(convert_address_space, 0.81);
#elif AMD_DBGAPI_LEVEL >= 62
AMD_DBGAPI_AT(convert_address_space, 0.62);
#else
AMD_DBGAPI_AT(convert_address_space, 0.54);
#endif
#if AMD_DBGAPI_LEVEL >= 79
AMD_DBGAPI_AT(address_dependency, 0.79);
#elif AMD_DBGAPI_LEVEL >= 64
AMD_DBGAPI_AT(address_dependency, 0.64);
#endif
#if AMD_DBGAPI_LEVEL >= 78
AMD_DBGAPI_AT(read_memory, 0.78);
#else
AMD_DBGAPI_AT(read_memory, 0.54);
#endif
#if AMD_DBGAPI_LEVEL >= 78
AMD_DBGAPI_AT(write_memory, 0.78);
#elif AMD_DBGAPI_LEVEL >= 76
AMD_DBGAPI_AT(write_memory, 0.76);
#else
AMD_DBGAPI_AT(write_memory, 0.54);
#endif
#undef AMD_DBGAPI_AT
#endif

#if defined(__cplusplus)
}
#endif

#endif /* AMD_DBGAPI_H */
