/* SPDX-License-Identifier: MIT */
/*
 * The AMD GPU debugger API ("dbgapi"), level 0.77.
 *
 * A client - a debugger, a profiler, a crash recorder - looks through it at the AMD GPU side of a
 * process: which devices, queues and dispatches there are, which waves run, why one has stopped,
 * and what is in its registers and memory. Names, values, types and layouts are those of AMD's
 * library, so that a client compiled against this header runs on AMD's library and on each of ours,
 * and the other way round.
 *
 * What every function has in common
 * ---------------------------------
 *
 * Order of use. amd_dbgapi_initialize comes first and amd_dbgapi_finalize last. Only four functions
 * work outside that bracket: amd_dbgapi_get_version, amd_dbgapi_get_build_name,
 * amd_dbgapi_get_status_string and amd_dbgapi_set_log_level.
 *
 * Statuses. In the lists below the prefix AMD_DBGAPI_STATUS_ is left out. Two statuses are possible
 * everywhere but in those four:
 * - ERROR_NOT_INITIALIZED: no amd_dbgapi_initialize before. It is checked before any argument.
 * - FATAL: the library met something it cannot continue from, or a lower layer failed in a way that
 *   the function has no status for. The call had no usable result; detach and finalize. A function
 *   that an implementation lacks answers ERROR_NOT_IMPLEMENTED instead.
 *
 * Outputs. Unless a status says otherwise, an output is written on SUCCESS only, and on every other
 * status all outputs are as they were.
 *
 * Memory. What is "allocated for the client" - strings, arrays, instruction text - comes from the
 * client's own allocate_memory callback and is the client's from then on; it releases it by its own
 * means (a client whose callback is malloc uses free). The library keeps no pointer to it. Memory
 * that the client passes in stays the client's and is not read or written after the call has
 * returned, except for the callbacks and the client's opaque handles, which the library keeps.
 *
 * Handles. Each kind of object has its own handle type: a 64-bit number in a struct, so that kinds
 * cannot be mixed up. 0 is the null handle of every kind. Numbers count up from 1 and are not used
 * again for another object until the library is finalized; architectures, register classes,
 * registers, address classes and address spaces are fixed for an architecture. A handle is valid
 * until its object is gone: waves, dispatches and workgroups end by themselves, code objects are
 * unloaded, queues destroyed. A call with the handle of an object that is gone answers the
 * ERROR_INVALID_... status of its kind, and so does a null handle.
 *
 * Queries. The ..._get_info functions return one value each, whose type stands with the query.
 * @value_size must be exactly the size of that type, so that a client and a library that were built
 * with different ideas of it find out. Checks come in this order: the handle; for some queries of a
 * wave, whether it is stopped; the query; whether the value is available; NULL; the size. So NULL
 * with a wrong size is ERROR_INVALID_ARGUMENT, and a value that is not available is not made so by
 * a better size. Where the result is one of an enumeration it is returned in a uint32_t, as the
 * query says.
 *
 * Lists. The ..._list functions for the objects of a process return a snapshot. The order of a list
 * means nothing and may differ from call to call. Each process has for each kind of object one flag
 * "changed", set when an object comes or goes:
 * - with @changed NULL the list is returned, and the flag is neither read nor cleared;
 * - with @changed given, it is set to AMD_DBGAPI_CHANGED_YES and the list is returned if the flag
 *   is set, and the flag is cleared; else it is set to AMD_DBGAPI_CHANGED_NO, the list is NULL and
 *   the count 0.
 *
 * There is one flag, not one for each caller: a second party in the same client must pass NULL.
 *
 * Events. What happens on the device is not called back but queued, for each process. See "Events"
 * below for the notifier, and "Waves" for what an event has to do with the state in which a wave is
 * seen.
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
 * The symbol version of each function, written behind its declaration: the API level at which it
 * last changed its contract, and the name of its version node in the library (AMD_DBGAPI_0.54 and
 * so on).
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

/** Whether a list differs from the one last asked for. See "Lists" at the top. */
typedef enum {
	/** Nothing came or went. */
	AMD_DBGAPI_CHANGED_NO = 0,
	/** Something came or went. */
	AMD_DBGAPI_CHANGED_YES = 1
} amd_dbgapi_changed_t;

/** What the operating system calls a process: on Linux, its process id. */
typedef pid_t amd_dbgapi_os_process_id_t;

/**
 * What a client waits on to learn of new events: on Linux, a file descriptor for poll, select or
 * epoll, readable when events may be pending. It is non-blocking and closed on exec. The library
 * owns it and closes it at detach. "Events" says how to use it.
 */
typedef int amd_dbgapi_notifier_t;

/**
 * What the operating system calls a device: on Linux, the gpu_id that the kernel driver shows in
 * its topology.
 */
typedef uint64_t amd_dbgapi_os_agent_id_t;

/**
 * What the operating system calls a queue. Unique among the queues of a process at one time, but
 * used again later.
 */
typedef uint64_t amd_dbgapi_os_queue_id_t;

/**
 * The number of a packet in its queue. Packets are numbered from 0 in the order in which they are
 * written and numbers are never used again; the place in the ring is the number modulo the packets
 * that the ring holds.
 */
typedef uint64_t amd_dbgapi_os_queue_packet_id_t;

/** The kind of a queue, and with it the format of its packets. */
typedef enum {
	/** The library does not know this kind. */
	AMD_DBGAPI_OS_QUEUE_TYPE_UNKNOWN = 0,
	/**
	 * Architected queueing language, as HSA defines it: packets of 64 bytes. The only kind from
	 * which dispatches come.
	 */
	AMD_DBGAPI_OS_QUEUE_TYPE_HSA_AQL = 1,
	/** AMD's command processor packets. */
	AMD_DBGAPI_OS_QUEUE_TYPE_AMD_PM4 = 0x101,
	/** Copies by a DMA engine. */
	AMD_DBGAPI_OS_QUEUE_TYPE_AMD_SDMA = 0x201,
	/** Copies by a DMA engine made for the links between devices. */
	AMD_DBGAPI_OS_QUEUE_TYPE_AMD_SDMA_XGMI = 0x202
} amd_dbgapi_os_queue_type_t;

/* Statuses */

/** What a function, or a callback, answers. 0 is success and everything else is negative. */
typedef enum {
	/** Done. */
	AMD_DBGAPI_STATUS_SUCCESS = 0,
	/** It failed, for a reason that has no status of its own. */
	AMD_DBGAPI_STATUS_ERROR = -1,
	/** The library cannot go on. See "Statuses" at the top. */
	AMD_DBGAPI_STATUS_FATAL = -2,
	/** This implementation does not offer the function or query. */
	AMD_DBGAPI_STATUS_ERROR_NOT_IMPLEMENTED = -3,
	/** The value exists in general, but not for this object or not now. */
	AMD_DBGAPI_STATUS_ERROR_NOT_AVAILABLE = -4,
	/** The device or the kind of object cannot do this. */
	AMD_DBGAPI_STATUS_ERROR_NOT_SUPPORTED = -5,
	/** An argument is wrong in itself: NULL where it may not be, or outside its range. */
	AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT = -6,
	/** Arguments are right one by one, but do not fit each other. */
	AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT_COMPATIBILITY = -7,
	/** A second initialization without a finalization between. */
	AMD_DBGAPI_STATUS_ERROR_ALREADY_INITIALIZED = -8,
	/** The library is not initialized. */
	AMD_DBGAPI_STATUS_ERROR_NOT_INITIALIZED = -9,
	/**
	 * Debugging is not possible here: the driver, the device firmware or the runtime in the
	 * process is missing or of a version that does not fit, or another debugger has the
	 * process.
	 */
	AMD_DBGAPI_STATUS_ERROR_RESTRICTION = -10,
	/** The process is attached already. */
	AMD_DBGAPI_STATUS_ERROR_ALREADY_ATTACHED = -11,
	/** No such architecture. */
	AMD_DBGAPI_STATUS_ERROR_INVALID_ARCHITECTURE_ID = -12,
	/**
	 * The bytes are no instruction of the architecture, or one that cannot be treated as asked.
	 */
	AMD_DBGAPI_STATUS_ERROR_ILLEGAL_INSTRUCTION = -13,
	/** No such code object (any more). */
	AMD_DBGAPI_STATUS_ERROR_INVALID_CODE_OBJECT_ID = -14,
	/** No architecture has this number. */
	AMD_DBGAPI_STATUS_ERROR_INVALID_ELF_AMDGPU_MACHINE = -15,
	/** No such attached process. */
	AMD_DBGAPI_STATUS_ERROR_INVALID_PROCESS_ID = -16,
	/**
	 * The process has ended. Answered by callbacks; functions treat it as objects that are
	 * gone.
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
	/** The wave is not seen as stopped. */
	AMD_DBGAPI_STATUS_ERROR_WAVE_NOT_STOPPED = -22,
	/** The wave is stopped already. */
	AMD_DBGAPI_STATUS_ERROR_WAVE_STOPPED = -23,
	/** The wave has been asked to stop and has not answered yet. */
	AMD_DBGAPI_STATUS_ERROR_WAVE_OUTSTANDING_STOP = -24,
	/** The wave cannot be resumed as it is. */
	AMD_DBGAPI_STATUS_ERROR_WAVE_NOT_RESUMABLE = -25,
	/** No such displaced stepping. */
	AMD_DBGAPI_STATUS_ERROR_INVALID_DISPLACED_STEPPING_ID = -26,
	/** All buffers for displaced stepping are in use. */
	AMD_DBGAPI_STATUS_ERROR_DISPLACED_STEPPING_BUFFER_NOT_AVAILABLE = -27,
	/** The wave is in the middle of a displaced step. */
	AMD_DBGAPI_STATUS_ERROR_DISPLACED_STEPPING_ACTIVE = -28,
	/** The wave has a displaced step to do first, and can only be stepped. */
	AMD_DBGAPI_STATUS_ERROR_RESUME_DISPLACED_STEPPING = -29,
	/** No such watchpoint. */
	AMD_DBGAPI_STATUS_ERROR_INVALID_WATCHPOINT_ID = -30,
	/** All hardware watchpoints that could serve are in use. */
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
	/** Not one byte could be transferred. */
	AMD_DBGAPI_STATUS_ERROR_MEMORY_ACCESS = -37,
	/** The address has no counterpart in the other address space. */
	AMD_DBGAPI_STATUS_ERROR_INVALID_ADDRESS_SPACE_CONVERSION = -38,
	/** No such event, or one that was processed already. */
	AMD_DBGAPI_STATUS_ERROR_INVALID_EVENT_ID = -39,
	/** No such breakpoint of the library. */
	AMD_DBGAPI_STATUS_ERROR_INVALID_BREAKPOINT_ID = -40,
	/** A callback failed: most often allocate_memory with NULL. */
	AMD_DBGAPI_STATUS_ERROR_CLIENT_CALLBACK = -41,
	/** The client does not know this client process. Answered by callbacks. */
	AMD_DBGAPI_STATUS_ERROR_INVALID_CLIENT_PROCESS_ID = -42,
	/** No symbol stands at the address. Answered by a symbolizer. */
	AMD_DBGAPI_STATUS_ERROR_SYMBOL_NOT_FOUND = -43,
	/** The register exists in the architecture, but not for this wave or not now. */
	AMD_DBGAPI_STATUS_ERROR_REGISTER_NOT_AVAILABLE = -44,
	/** No such workgroup (any more). */
	AMD_DBGAPI_STATUS_ERROR_INVALID_WORKGROUP_ID = -45,
	/** The process is not in the state that the operation needs. */
	AMD_DBGAPI_STATUS_ERROR_INCOMPATIBLE_PROCESS_STATE = -46,
	/** The process is frozen, and this would change it. */
	AMD_DBGAPI_STATUS_ERROR_PROCESS_FROZEN = -47,
	/** The process is frozen already. */
	AMD_DBGAPI_STATUS_ERROR_PROCESS_ALREADY_FROZEN = -48,
	/** The process is not frozen. */
	AMD_DBGAPI_STATUS_ERROR_PROCESS_NOT_FROZEN = -49
} amd_dbgapi_status_t;

/**
 * A sentence in English for a status. May be called at any time.
 *
 * @status: the status.
 * @status_string: set to a text that is part of the library: it is not freed, and lasts as long as
 *   the library is loaded.
 *
 * Return:
 * - SUCCESS: *@status_string is set.
 * - ERROR_INVALID_ARGUMENT: @status is none of the statuses or @status_string is NULL.
 */
amd_dbgapi_status_t AMD_DBGAPI amd_dbgapi_get_status_string(
	amd_dbgapi_status_t status, const char **status_string) AMD_DBGAPI_VERSION_0_54;

/*
 * Versions
 *
 * A library can serve a client if their major versions are equal and its minor version is not lower
 * than the one of the header the client was compiled with.
 */

/** The API level of this header, to compare with what amd_dbgapi_get_version answers. */
#define AMD_DBGAPI_VERSION_MAJOR 0
#define AMD_DBGAPI_VERSION_MINOR 77

/**
 * The API level that the library offers. May be called at any time.
 *
 * @major: set to the major version. Each of the three may be NULL.
 * @minor: set to the minor version, which grows with every change of the API.
 * @patch: set to the patch level, which says nothing about the API.
 */
void AMD_DBGAPI amd_dbgapi_get_version(uint32_t *major, uint32_t *minor,
				       uint32_t *patch) AMD_DBGAPI_VERSION_0_54;

/**
 * A text that tells this build of the library from others, for reports and logs. May be called at
 * any time.
 *
 * Return: a text that is part of the library: it is not freed.
 */
const char AMD_DBGAPI *amd_dbgapi_get_build_name(void) AMD_DBGAPI_VERSION_0_54;

/* Life cycle */

/**
 * Make the library ready for use. After amd_dbgapi_finalize it may be initialized again, with other
 * callbacks.
 *
 * @callbacks: what the library may call. The library copies the table; every entry must be set.
 *
 * Return:
 * - SUCCESS: the library is initialized.
 * - ERROR_ALREADY_INITIALIZED: it was so before; checked before @callbacks is looked at. Nothing
 *   changes.
 * - ERROR_INVALID_ARGUMENT: @callbacks or one of its entries is NULL.
 * - ERROR_CLIENT_CALLBACK: a callback made during the call failed.
 * - FATAL: it is left uninitialized.
 */
amd_dbgapi_status_t AMD_DBGAPI amd_dbgapi_initialize(amd_dbgapi_callbacks_t *callbacks)
	AMD_DBGAPI_VERSION_0_76;

/**
 * Give up everything: attached processes are detached as by amd_dbgapi_process_detach, and all
 * handles become invalid. The library is uninitialized afterwards whatever the status. Handle
 * numbers start again from 1 at the next initialization, except those of processes.
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
 * What is true of all devices of one kind: gfx90a, gfx942, and so on. Architectures exist as soon
 * as the library is initialized, without any process; they are described by the functions in this
 * section and by those for registers, address classes and address spaces.
 */

/**
 * An architecture. The same architecture has the same number in every run of a library version.
 */
typedef struct {
	uint64_t handle;
} amd_dbgapi_architecture_id_t;

/** The null handle: stands for no architecture. */
#define AMD_DBGAPI_ARCHITECTURE_NONE AMD_DBGAPI_HANDLE_LITERAL(amd_dbgapi_architecture_id_t, 0)

/** What amd_dbgapi_architecture_get_info can be asked. */
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
	 * The bytes of the longest instruction: how many to offer to
	 * amd_dbgapi_disassemble_instruction.
	 *
	 * Result: amd_dbgapi_size_t.
	 */
	AMD_DBGAPI_ARCHITECTURE_INFO_LARGEST_INSTRUCTION_SIZE = 3,
	/**
	 * What every instruction address is a multiple of, in bytes. Also how far to go on behind
	 * bytes that are no instruction.
	 *
	 * Result: amd_dbgapi_size_t.
	 */
	AMD_DBGAPI_ARCHITECTURE_INFO_MINIMUM_INSTRUCTION_ALIGNMENT = 4,
	/**
	 * The bytes of the breakpoint instruction.
	 *
	 * Result: amd_dbgapi_size_t.
	 */
	AMD_DBGAPI_ARCHITECTURE_INFO_BREAKPOINT_INSTRUCTION_SIZE = 5,
	/**
	 * The breakpoint instruction itself, as many bytes as BREAKPOINT_INSTRUCTION_SIZE says. A
	 * wave that executes it stops with AMD_DBGAPI_WAVE_STOP_REASON_BREAKPOINT.
	 *
	 * Result: uint8_t *, allocated for the client.
	 */
	AMD_DBGAPI_ARCHITECTURE_INFO_BREAKPOINT_INSTRUCTION = 6,
	/**
	 * What to subtract from the pc of a wave that has stopped at a breakpoint to get the
	 * address of the breakpoint.
	 *
	 * Result: amd_dbgapi_size_t.
	 */
	AMD_DBGAPI_ARCHITECTURE_INFO_BREAKPOINT_INSTRUCTION_PC_ADJUST = 7,
	/**
	 * The register that holds the program counter.
	 *
	 * Result: amd_dbgapi_register_id_t.
	 */
	AMD_DBGAPI_ARCHITECTURE_INFO_PC_REGISTER = 8
} amd_dbgapi_architecture_info_t;

/**
 * Ask about an architecture.
 *
 * @architecture_id: the architecture.
 * @query: what to ask; it decides the type of the result.
 * @value_size: bytes at @value; exactly the size of the result.
 * @value: where the result goes; unaltered on error.
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
	size_t value_size, void *value) AMD_DBGAPI_VERSION_0_54;

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

/** Whatever a client wants its symbolizer to be called with. The library only passes it on. */
typedef struct amd_dbgapi_symbolizer_id_s *amd_dbgapi_symbolizer_id_t;

/**
 * Turn one instruction into text, or only measure it.
 *
 * @architecture_id: how to read the bytes.
 * @address: where the instruction stands; branch targets are computed from it.
 * @size: in: the bytes at @memory, more than 0. Out: the bytes of the instruction.
 * @memory: the bytes. Offer as many as the longest instruction has, if so many are readable: an
 *   instruction that ends behind them is not recognized.
 * @instruction_text: set to the text, allocated for the client. NULL if only the size is wanted.
 * @symbolizer_id: the first argument of each call of @symbolizer.
 * @symbolizer: called for each address that the text names, or NULL: then addresses are printed as
 *   numbers. It sets *@symbol_text to a text from the client's allocator, which the library
 *   releases with deallocate_memory, and answers SUCCESS; or SYMBOL_NOT_FOUND and a number is
 *   printed. Any other answer makes the call fail.
 *
 * Return:
 * - SUCCESS: *@size and, if wanted, *@instruction_text are set.
 * - ERROR_INVALID_ARGUMENT: @size or @memory is NULL, *@size holds 0, or @address is misaligned.
 *   NULL and 0 are checked before the architecture.
 * - ERROR_INVALID_ARCHITECTURE_ID: no such architecture.
 * - ERROR_ILLEGAL_INSTRUCTION: the bytes are no instruction, or not all of one.
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
 * What an instruction does to the flow of control. With some kinds comes information that
 * amd_dbgapi_classify_instruction returns; the others have none. In a pair of registers the first
 * holds the low 32 bits of an address and the second the high ones.
 */
typedef enum {
	/** Not known. */
	AMD_DBGAPI_INSTRUCTION_KIND_UNKNOWN = 0,
	/** Goes on with the next instruction. */
	AMD_DBGAPI_INSTRUCTION_KIND_SEQUENTIAL = 1,
	/** Branches always. Information: amd_dbgapi_global_address_t, the target. */
	AMD_DBGAPI_INSTRUCTION_KIND_DIRECT_BRANCH = 2,
	/**
	 * Branches or goes on. Information: amd_dbgapi_global_address_t, the target if it branches.
	 */
	AMD_DBGAPI_INSTRUCTION_KIND_DIRECT_BRANCH_CONDITIONAL = 3,
	/**
	 * Branches to what a pair of registers holds. Information: amd_dbgapi_register_id_t[2], the
	 * pair.
	 */
	AMD_DBGAPI_INSTRUCTION_KIND_INDIRECT_BRANCH_REGISTER_PAIR = 4,
	/** The same on a condition. Information: amd_dbgapi_register_id_t[2], the pair. */
	AMD_DBGAPI_INSTRUCTION_KIND_INDIRECT_BRANCH_CONDITIONAL_REGISTER_PAIR = 5,
	/**
	 * Branches and leaves the address of the next instruction in a pair of registers.
	 * Information: amd_dbgapi_direct_call_register_pair_information_t.
	 */
	AMD_DBGAPI_INSTRUCTION_KIND_DIRECT_CALL_REGISTER_PAIR = 6,
	/**
	 * Branches to what one pair holds and leaves the address of the next instruction in
	 * another. Information: amd_dbgapi_register_id_t[4], the pair of the target, then that of
	 * the return address.
	 */
	AMD_DBGAPI_INSTRUCTION_KIND_INDIRECT_CALL_REGISTER_PAIRS = 7,
	/** Ends the wave. */
	AMD_DBGAPI_INSTRUCTION_KIND_TERMINATE = 8,
	/**
	 * Enters the trap handler, which may come back, stop the wave or end it; the handler itself
	 * is not visible to a client. Information: uint64_t, the number of the trap.
	 */
	AMD_DBGAPI_INSTRUCTION_KIND_TRAP = 9,
	/** Halts the wave. */
	AMD_DBGAPI_INSTRUCTION_KIND_HALT = 10,
	/** May wait for other waves. */
	AMD_DBGAPI_INSTRUCTION_KIND_BARRIER = 11,
	/** Pauses, then goes on with the next instruction. */
	AMD_DBGAPI_INSTRUCTION_KIND_SLEEP = 12,
	/**
	 * Something else that is not safely taken for sequential: messages to the host, changes to
	 * other waves, and the like.
	 */
	AMD_DBGAPI_INSTRUCTION_KIND_SPECIAL = 13
} amd_dbgapi_instruction_kind_t;

/** More about an instruction, as a mask. No bits are defined at this level. */
typedef enum {
	/** Nothing more. */
	AMD_DBGAPI_INSTRUCTION_PROPERTY_NONE = 0
} amd_dbgapi_instruction_properties_t;

/**
 * Tell what kind of instruction some bytes are, and where it may go.
 *
 * @architecture_id: how to read the bytes.
 * @address: where the instruction stands; targets are computed from it.
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
 * - ERROR_ILLEGAL_INSTRUCTION: the bytes are no instruction, or not all of one.
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
 * A process is attached before anything about its devices can be asked. Several may be attached at
 * once; they have nothing to do with each other.
 */

/**
 * A process as the client names it: the first argument of the callbacks that concern one. The
 * library only passes it on.
 */
typedef struct amd_dbgapi_client_process_s *amd_dbgapi_client_process_id_t;

/** An attached process. */
typedef struct {
	uint64_t handle;
} amd_dbgapi_process_id_t;

/** The null handle: no process, or for the list functions all of them. */
#define AMD_DBGAPI_PROCESS_NONE AMD_DBGAPI_HANDLE_LITERAL(amd_dbgapi_process_id_t, 0)

/** The order of bytes in a number. */
typedef enum {
	/** The most significant first. */
	AMD_DBGAPI_ENDIAN_BIG = 0,
	/** The least significant first. */
	AMD_DBGAPI_ENDIAN_LITTLE = 1
} amd_dbgapi_endianness_t;

/**
 * What a core file needs to hold about the devices of a process, in a format that only the library
 * knows. Kept in a note of the core file (owner "AMDGPU", type 33).
 */
typedef struct {
	/** Byte order of the core file. */
	amd_dbgapi_endianness_t endianness;
	/** Bytes at @data. */
	size_t size;
	/** The bytes. Who allocates them stands with the query. */
	const void *data;
} amd_dbgapi_core_state_data_t;

/** What amd_dbgapi_process_get_info can be asked. */
typedef enum {
	/**
	 * The notifier: see "Events".
	 *
	 * Result: amd_dbgapi_notifier_t.
	 */
	AMD_DBGAPI_PROCESS_INFO_NOTIFIER = 1,
	/**
	 * How many watchpoints the hardware offers to the process: the smallest count among its
	 * agents.
	 *
	 * Result: size_t.
	 */
	AMD_DBGAPI_PROCESS_INFO_WATCHPOINT_COUNT = 2,
	/**
	 * Whether several processes contend for them.
	 *
	 * Result: uint32_t, one of amd_dbgapi_watchpoint_share_kind_t.
	 */
	AMD_DBGAPI_PROCESS_INFO_WATCHPOINT_SHARE = 3,
	/**
	 * Whether amd_dbgapi_set_memory_precision can be asked for precision.
	 *
	 * Result: uint32_t, one of amd_dbgapi_memory_precision_t.
	 */
	AMD_DBGAPI_PROCESS_INFO_PRECISE_MEMORY_SUPPORTED = 4,
	/**
	 * Whether amd_dbgapi_set_alu_exceptions_precision can be asked for precision.
	 *
	 * Result: uint32_t, one of amd_dbgapi_alu_exceptions_precision_t.
	 */
	AMD_DBGAPI_PROCESS_INFO_PRECISE_ALU_EXCEPTIONS_SUPPORTED = 5,
	/**
	 * The process id. Not available for a process that is read from a core file.
	 *
	 * Result: amd_dbgapi_os_process_id_t.
	 */
	AMD_DBGAPI_PROCESS_INFO_OS_ID = 6,
	/**
	 * What to write into a core file; its @data is allocated for the client. The process must
	 * be frozen.
	 *
	 * Result: amd_dbgapi_core_state_data_t, allocated for the client.
	 */
	AMD_DBGAPI_PROCESS_INFO_CORE_STATE = 7
} amd_dbgapi_process_info_t;

/**
 * Ask about a process.
 *
 * @process_id: the process.
 * @query: what to ask; it decides the type of the result.
 * @value_size: bytes at @value; exactly the size of the result.
 * @value: where the result goes; unaltered on error.
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
							   void *value) AMD_DBGAPI_VERSION_0_77;

/**
 * Begin to debug the device side of a process. It need not have used a device yet: when its runtime
 * is loaded, an event AMD_DBGAPI_EVENT_KIND_RUNTIME says so, and only then can there be code
 * objects and waves. If the runtime is loaded already, that event is the first one pending.
 *
 * During the call the library uses client_process_get_info and may ask the client to insert
 * breakpoints. The process is in AMD_DBGAPI_PROGRESS_NORMAL, AMD_DBGAPI_WAVE_CREATION_NORMAL and
 * without precision afterwards. Waves that run, run on; those that have stopped by themselves are
 * reported by events.
 *
 * A client process for which client_process_get_info answers NOT_AVAILABLE to OS_PID is taken for a
 * core file; it has no agents if CORE_STATE is NOT_AVAILABLE too.
 *
 * @client_process_id: the process as the client names it. Must not be attached.
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
 * Stop debugging a process and let it run on as if it had not been debugged. Watchpoints and the
 * library's own breakpoints are removed, displaced steps completed, and precision and wave creation
 * put back. Waves that were stopped by the client or for a reason of debugging (breakpoint,
 * watchpoint, single step, debug trap) are resumed; those with an exception stay halted, for the
 * runtime to deal with. Pending events are dropped and the notifier is closed. All handles of the
 * process become invalid.
 *
 * Breakpoints that the client wrote into code are its own to remove, before the call.
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
 * Whether a process needs to make progress. To look at waves the library has to suspend the queues
 * they run on, and in normal progress it lets them go again as soon as a function returns. A client
 * that is going to ask much at once does better to say so first.
 */
typedef enum {
	/** Waves that are not stopped, run. */
	AMD_DBGAPI_PROGRESS_NORMAL = 0,
	/**
	 * Waves that are not stopped need not run: once the library has suspended a queue it may
	 * leave it so. They are still seen as running, and pending stops are still reported.
	 */
	AMD_DBGAPI_PROGRESS_NO_FORWARD = 1
} amd_dbgapi_progress_t;

/**
 * Say whether a process needs to make progress. Going back to AMD_DBGAPI_PROGRESS_NORMAL resumes
 * what was left suspended.
 *
 * @process_id: the process, or AMD_DBGAPI_PROCESS_NONE for all attached ones.
 * @progress: the mode.
 *
 * Return:
 * - SUCCESS: the mode is set.
 * - ERROR_INVALID_ARGUMENT: @progress is no mode; checked before the process.
 * - ERROR_INVALID_PROCESS_ID: no such attached process.
 * - ERROR_PROCESS_FROZEN: the process is frozen. The mode stays.
 * - FATAL or ERROR_NOT_INITIALIZED: as for every function.
 */
amd_dbgapi_status_t AMD_DBGAPI amd_dbgapi_process_set_progress(
	amd_dbgapi_process_id_t process_id, amd_dbgapi_progress_t progress) AMD_DBGAPI_VERSION_0_76;

/** What becomes of waves that start. */
typedef enum {
	/** They run. */
	AMD_DBGAPI_WAVE_CREATION_NORMAL = 0,
	/**
	 * They are held before their first instruction, and are not seen in any list until the mode
	 * is NORMAL again. So a client that stops all waves will not see new ones appear meanwhile.
	 */
	AMD_DBGAPI_WAVE_CREATION_STOP = 1
} amd_dbgapi_wave_creation_t;

/**
 * Say what becomes of waves that start from now on. Going back to AMD_DBGAPI_WAVE_CREATION_NORMAL
 * lets those that were held run.
 *
 * @process_id: the process.
 * @creation: the mode.
 *
 * Return:
 * - SUCCESS: the mode is set.
 * - ERROR_INVALID_PROCESS_ID: no such attached process; checked before the mode.
 * - ERROR_INVALID_ARGUMENT: @creation is no mode.
 * - ERROR_PROCESS_FROZEN: the process is frozen. The mode stays.
 * - FATAL or ERROR_NOT_INITIALIZED: as for every function.
 */
amd_dbgapi_status_t AMD_DBGAPI
amd_dbgapi_process_set_wave_creation(amd_dbgapi_process_id_t process_id,
				     amd_dbgapi_wave_creation_t creation) AMD_DBGAPI_VERSION_0_76;

/**
 * Bring all that the devices keep for a process to rest in memory, so that a core file can be
 * written: caches and waves are written back, and nothing moves until amd_dbgapi_process_unfreeze.
 * While a process is frozen, functions that would change it answer ERROR_PROCESS_FROZEN; reading
 * goes on.
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
 * End what amd_dbgapi_process_freeze began. The modes stay as they are, so nothing runs until the
 * client sets them.
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

/*
 * Code objects
 *
 * A code object is an ELF shared object with code for devices, as it stands in memory: loaded at an
 * address and relocated. It may have come from a file or from memory, for instance from inside a
 * host program, and one ELF may be loaded several times.
 */

/** A loaded code object. One that is loaded again after it was unloaded has a new handle. */
typedef struct {
	uint64_t handle;
} amd_dbgapi_code_object_id_t;

/** The null handle: stands for no code object. */
#define AMD_DBGAPI_CODE_OBJECT_NONE AMD_DBGAPI_HANDLE_LITERAL(amd_dbgapi_code_object_id_t, 0)

/** What amd_dbgapi_code_object_get_info can be asked. */
typedef enum {
	/**
	 * The process it is loaded in.
	 *
	 * Result: amd_dbgapi_process_id_t.
	 */
	AMD_DBGAPI_CODE_OBJECT_INFO_PROCESS = 1,
	/**
	 * Where the ELF file can be read, before relocation, as a URI of one of two forms:
	 *
	 *   file://PATH[#offset=NUMBER&size=NUMBER]
	 *   memory://PID#offset=NUMBER&size=NUMBER
	 *
	 * PATH is absolute, in UTF-8, its parts separated by "/"; every character other than
	 * letters, digits and "/", "_", ".", "~", "-" is written as "%" and two upper-case
	 * hexadecimal digits. A range within a file is given for an ELF file that lies in another
	 * file; without one the whole file is meant. PID is the process id in decimal, and offset
	 * then the address in its memory; a range is always given. "?" may stand for "#". A NUMBER
	 * is written as in C: decimal, hexadecimal behind 0x or 0X, or octal behind 0; sizes are in
	 * bytes.
	 *
	 * Result: char *, allocated for the client.
	 */
	AMD_DBGAPI_CODE_OBJECT_INFO_URI_NAME = 2,
	/**
	 * What to add to an address in the ELF file to get the address in memory.
	 *
	 * Result: ptrdiff_t.
	 */
	AMD_DBGAPI_CODE_OBJECT_INFO_LOAD_ADDRESS = 3
} amd_dbgapi_code_object_info_t;

/**
 * Ask about a code object.
 *
 * @code_object_id: the code object.
 * @query: what to ask; it decides the type of the result.
 * @value_size: bytes at @value; exactly the size of the result.
 * @value: where the result goes; unaltered on error.
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
 * The code objects that are loaded now. An event AMD_DBGAPI_EVENT_KIND_CODE_OBJECT_LIST_UPDATED
 * says when the list has changed.
 *
 * @process_id: whose code objects; AMD_DBGAPI_PROCESS_NONE asks for those of all attached processes
 *   together, which are none if nothing is attached.
 * @code_object_count: how many handles @code_objects holds; 0 with a NULL list.
 * @code_objects: an array of @code_object_count handles, allocated for the client; NULL if there
 *   are none, or if @changed is given and answers NO.
 * @changed: NULL for the plain list; else answers whether the list differs from the one last asked
 *   for with a @changed, and the list comes only if it does. See "Lists".
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

/** The null handle: stands for no agent. */
#define AMD_DBGAPI_AGENT_NONE AMD_DBGAPI_HANDLE_LITERAL(amd_dbgapi_agent_id_t, 0)

/** What amd_dbgapi_agent_get_info can be asked. */
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
	/**
	 * Its PCI domain.
	 *
	 * Result: uint16_t.
	 */
	AMD_DBGAPI_AGENT_INFO_PCI_DOMAIN = 5,
	/**
	 * Its place on the PCI bus: bus number in bits 8 to 15, device in bits 3 to 7, function in
	 * bits 0 to 2.
	 *
	 * Result: uint16_t.
	 */
	AMD_DBGAPI_AGENT_INFO_PCI_SLOT = 6,
	/**
	 * Its PCI vendor.
	 *
	 * Result: uint32_t.
	 */
	AMD_DBGAPI_AGENT_INFO_PCI_VENDOR_ID = 7,
	/**
	 * Its PCI device number.
	 *
	 * Result: uint32_t.
	 */
	AMD_DBGAPI_AGENT_INFO_PCI_DEVICE_ID = 8,
	/**
	 * How many execution units (SIMDs) it has.
	 *
	 * Result: size_t.
	 */
	AMD_DBGAPI_AGENT_INFO_EXECUTION_UNIT_COUNT = 9,
	/**
	 * How many waves each of them holds at most.
	 *
	 * Result: size_t.
	 */
	AMD_DBGAPI_AGENT_INFO_MAX_WAVES_PER_EXECUTION_UNIT = 10,
	/**
	 * What the operating system calls it.
	 *
	 * Result: amd_dbgapi_os_agent_id_t.
	 */
	AMD_DBGAPI_AGENT_INFO_OS_ID = 11
} amd_dbgapi_agent_info_t;

/** Whether an agent can be debugged. */
typedef enum {
	/** It can. */
	AMD_DBGAPI_AGENT_STATE_SUPPORTED = 1,
	/**
	 * It cannot: its architecture, firmware or driver is not supported. The process still runs
	 * on it, unseen: no queues, dispatches and waves are shown for it.
	 */
	AMD_DBGAPI_AGENT_STATE_NOT_SUPPORTED = 2
} amd_dbgapi_agent_state_t;

/**
 * Ask about an agent.
 *
 * @agent_id: the agent.
 * @query: what to ask; it decides the type of the result.
 * @value_size: bytes at @value; exactly the size of the result.
 * @value: where the result goes; unaltered on error.
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
 * The agents of a process.
 *
 * @process_id: whose agents; AMD_DBGAPI_PROCESS_NONE asks for those of all attached processes
 *   together, which are none if nothing is attached.
 * @agent_count: how many handles @agents holds; 0 with a NULL list.
 * @agents: an array of @agent_count handles, allocated for the client; NULL if there are none, or
 *   if @changed is given and answers NO.
 * @changed: NULL for the plain list; else answers whether the list differs from the one last asked
 *   for with a @changed, and the list comes only if it does. See "Lists".
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

/** The null handle: stands for no queue. */
#define AMD_DBGAPI_QUEUE_NONE AMD_DBGAPI_HANDLE_LITERAL(amd_dbgapi_queue_id_t, 0)

/** What amd_dbgapi_queue_get_info can be asked. */
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
	 * Whether it is in error.
	 *
	 * Result: uint32_t, one of amd_dbgapi_queue_state_t.
	 */
	AMD_DBGAPI_QUEUE_INFO_STATE = 5,
	/**
	 * Why it is in error: the union of what was reported. AMD_DBGAPI_EXCEPTION_NONE if it is
	 * not.
	 *
	 * Result: uint32_t, a mask of amd_dbgapi_exceptions_t.
	 */
	AMD_DBGAPI_QUEUE_INFO_ERROR_REASON = 6,
	/**
	 * Where its ring begins.
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
	 * What the operating system calls it.
	 *
	 * Result: amd_dbgapi_os_queue_id_t.
	 */
	AMD_DBGAPI_QUEUE_INFO_OS_ID = 9
} amd_dbgapi_queue_info_t;

/**
 * Ask about a queue. INFO_STATE and INFO_ERROR_REASON are answered with ERROR_NOT_IMPLEMENTED where
 * the library does not follow errors of queues.
 *
 * @queue_id: the queue.
 * @query: what to ask; it decides the type of the result.
 * @value_size: bytes at @value; exactly the size of the result.
 * @value: where the result goes; unaltered on error.
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
	/** It does. */
	AMD_DBGAPI_QUEUE_STATE_VALID = 1,
	/** It is in error and executes no further packet. */
	AMD_DBGAPI_QUEUE_STATE_ERROR = 2
} amd_dbgapi_queue_state_t;

/**
 * What can go wrong on a device, as a mask: for a queue what has been reported of it, for
 * amd_dbgapi_wave_resume what is to be reported of a wave. The low 16 bits are of waves, then come
 * packets, then the queue itself.
 */
typedef enum {
	/** Nothing. */
	AMD_DBGAPI_EXCEPTION_NONE = 0,
	/** A wave gave up, as by an assert trap. */
	AMD_DBGAPI_EXCEPTION_WAVE_ABORT = (1 << 0),
	/** A wave executed a trap that nobody wanted. */
	AMD_DBGAPI_EXCEPTION_WAVE_TRAP = (1 << 1),
	/** A wave met an arithmetic exception that was enabled. */
	AMD_DBGAPI_EXCEPTION_WAVE_MATH_ERROR = (1 << 2),
	/** A wave met an illegal instruction. */
	AMD_DBGAPI_EXCEPTION_WAVE_ILLEGAL_INSTRUCTION = (1 << 3),
	/** A wave accessed memory that is not there, or not so. */
	AMD_DBGAPI_EXCEPTION_WAVE_MEMORY_VIOLATION = (1 << 4),
	/** A wave used an address that is none in its address space. */
	AMD_DBGAPI_EXCEPTION_WAVE_ADDRESS_ERROR = (1 << 5),
	/** Older name of AMD_DBGAPI_EXCEPTION_WAVE_ADDRESS_ERROR. */
	AMD_DBGAPI_EXCEPTION_WAVE_APERTURE_VIOLATION AMD_DBGAPI_DEPRECATED =
		AMD_DBGAPI_EXCEPTION_WAVE_ADDRESS_ERROR,
	/** A dispatch packet with wrong dimensions. */
	AMD_DBGAPI_EXCEPTION_PACKET_DISPATCH_DIM_INVALID = (1 << 16),
	/** A dispatch packet that asks for more group memory than there is. */
	AMD_DBGAPI_EXCEPTION_PACKET_DISPATCH_GROUP_SEGMENT_SIZE_INVALID = (1 << 17),
	/** A dispatch packet without a kernel. */
	AMD_DBGAPI_EXCEPTION_PACKET_DISPATCH_CODE_INVALID = (1 << 18),
	/** A packet of a kind that is not supported. */
	AMD_DBGAPI_EXCEPTION_PACKET_UNSUPPORTED = (1 << 20),
	/** A dispatch packet with wrong workgroup sizes. */
	AMD_DBGAPI_EXCEPTION_PACKET_DISPATCH_WORKGROUP_SIZE_INVALID = (1 << 21),
	/** A dispatch of a kernel that needs more registers than there are. */
	AMD_DBGAPI_EXCEPTION_PACKET_DISPATCH_REGISTER_COUNT_TOO_LARGE = (1 << 22),
	/** A vendor's own packet that is not supported. */
	AMD_DBGAPI_EXCEPTION_PACKET_VENDOR_UNSUPPORTED = (1 << 23),
	/**
	 * The queue could not be suspended. This is bit 31, so the enumerator is negative; a mask
	 * of it in a uint32_t is 0x80000000.
	 */
	AMD_DBGAPI_EXCEPTION_QUEUE_PREEMPTION_ERROR = (-2147483647 - 1)
} amd_dbgapi_exceptions_t;

/**
 * The queues of a process, on agents that can be debugged.
 *
 * @process_id: whose queues; AMD_DBGAPI_PROCESS_NONE asks for those of all attached processes
 *   together, which are none if nothing is attached.
 * @queue_count: how many handles @queues holds; 0 with a NULL list.
 * @queues: an array of @queue_count handles, allocated for the client; NULL if there are none, or
 *   if @changed is given and answers NO.
 * @changed: NULL for the plain list; else answers whether the list differs from the one last asked
 *   for with a @changed, and the list comes only if it does. See "Lists".
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
 * The packets of a queue that are waiting or still in work, as they lie in the ring. The ring is
 * live: unless the process and the queue are at rest, ids and bytes may be out of step with each
 * other.
 *
 * A packet has gone from here once the agent has read it and all before it are done; that of a
 * running dispatch is among them as long as it has not been overtaken.
 *
 * @queue_id: the queue.
 * @read_packet_id: set to the number of the first packet returned.
 * @write_packet_id: set to the number behind the last one. Equal to *@read_packet_id if there are
 *   none.
 * @packets_byte_size: set to the bytes of all these packets.
 * @packets_bytes: set to the packets, in order, allocated for the client. NULL if only the numbers
 *   are wanted.
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
 * A dispatch is the execution of one kernel over a grid of work-items, as a packet in a queue asked
 * for it. Dispatches that are waiting are not shown; one appears with its first wave and is gone
 * with its last.
 */

/** A dispatch. */
typedef struct {
	uint64_t handle;
} amd_dbgapi_dispatch_id_t;

/** The null handle: stands for no dispatch. */
#define AMD_DBGAPI_DISPATCH_NONE AMD_DBGAPI_HANDLE_LITERAL(amd_dbgapi_dispatch_id_t, 0)

/** What amd_dbgapi_dispatch_get_info can be asked. Most of it stands in the packet. */
typedef enum {
	/**
	 * The queue it came from.
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
	 * How far it takes over memory that others wrote, before it starts.
	 *
	 * Result: uint32_t, one of amd_dbgapi_dispatch_fence_scope_t.
	 */
	AMD_DBGAPI_DISPATCH_INFO_ACQUIRE_FENCE = 7,
	/**
	 * How far what it wrote is handed on, when it ends.
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
	/**
	 * Work-items of a workgroup in x, y and z. 1 in dimensions the grid does not have.
	 *
	 * Result: uint16_t[3].
	 */
	AMD_DBGAPI_DISPATCH_INFO_WORKGROUP_SIZES = 10,
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
	 * Bytes of local memory for each workgroup, what the kernel declares and what the packet
	 * adds.
	 *
	 * Result: amd_dbgapi_size_t.
	 */
	AMD_DBGAPI_DISPATCH_INFO_GROUP_SEGMENT_SIZE = 13,
	/**
	 * Where the kernel's arguments are.
	 *
	 * Result: amd_dbgapi_global_address_t.
	 */
	AMD_DBGAPI_DISPATCH_INFO_KERNEL_ARGUMENT_SEGMENT_ADDRESS = 14,
	/**
	 * Where the kernel's descriptor is: the 64 bytes that the symbol NAME.kd of its code object
	 * names.
	 *
	 * Result: amd_dbgapi_global_address_t.
	 */
	AMD_DBGAPI_DISPATCH_INFO_KERNEL_DESCRIPTOR_ADDRESS = 15,
	/**
	 * Where its code begins.
	 *
	 * Result: amd_dbgapi_global_address_t.
	 */
	AMD_DBGAPI_DISPATCH_INFO_KERNEL_CODE_ENTRY_ADDRESS = 16,
	/**
	 * The signal it decrements when it ends, or 0.
	 *
	 * Result: amd_dbgapi_global_address_t.
	 */
	AMD_DBGAPI_DISPATCH_INFO_KERNEL_COMPLETION_ADDRESS = 17
} amd_dbgapi_dispatch_info_t;

/**
 * Ask about a dispatch.
 *
 * @dispatch_id: the dispatch.
 * @query: what to ask; it decides the type of the result.
 * @value_size: bytes at @value; exactly the size of the result.
 * @value: where the result goes; unaltered on error.
 *
 * Return:
 * - SUCCESS: @value holds the result.
 * - ERROR_INVALID_DISPATCH_ID: @dispatch_id names no dispatch.
 * - ERROR_NOT_SUPPORTED: the query makes no sense for the kind of queue it came from.
 * - ERROR_INVALID_ARGUMENT: @value is NULL or @query is not one of the queries.
 * - ERROR_INVALID_ARGUMENT_COMPATIBILITY: @value_size is not the size of the result.
 * - ERROR_CLIENT_CALLBACK: allocate_memory returned NULL.
 * - FATAL or ERROR_NOT_INITIALIZED: as for every function.
 */
amd_dbgapi_status_t AMD_DBGAPI amd_dbgapi_dispatch_get_info(amd_dbgapi_dispatch_id_t dispatch_id,
							    amd_dbgapi_dispatch_info_t query,
							    size_t value_size,
							    void *value) AMD_DBGAPI_VERSION_0_54;

/** Whether a dispatch waits for the packets before it. */
typedef enum {
	/** It may start while they run. */
	AMD_DBGAPI_DISPATCH_BARRIER_NONE = 0,
	/** It starts when they have ended. */
	AMD_DBGAPI_DISPATCH_BARRIER_PRESENT = 1
} amd_dbgapi_dispatch_barrier_t;

/** How far memory is made to agree before or after a dispatch. */
typedef enum {
	/** Not at all. */
	AMD_DBGAPI_DISPATCH_FENCE_SCOPE_NONE = 0,
	/** Within the agent. */
	AMD_DBGAPI_DISPATCH_FENCE_SCOPE_AGENT = 1,
	/** With all agents and the host. */
	AMD_DBGAPI_DISPATCH_FENCE_SCOPE_SYSTEM = 2
} amd_dbgapi_dispatch_fence_scope_t;

/**
 * The dispatches of a process that have waves.
 *
 * @process_id: whose dispatches; AMD_DBGAPI_PROCESS_NONE asks for those of all attached processes
 *   together, which are none if nothing is attached.
 * @dispatch_count: how many handles @dispatches holds; 0 with a NULL list.
 * @dispatches: an array of @dispatch_count handles, allocated for the client; NULL if there are
 *   none, or if @changed is given and answers NO.
 * @changed: NULL for the plain list; else answers whether the list differs from the one last asked
 *   for with a @changed, and the list comes only if it does. See "Lists".
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

/*
 * Workgroups
 *
 * A workgroup is a part of a dispatch whose waves run together: they share local memory and meet at
 * barriers. It appears with its first wave and is gone with its last.
 */

/** A workgroup. */
typedef struct {
	uint64_t handle;
} amd_dbgapi_workgroup_id_t;

/** The null handle: stands for no workgroup. */
#define AMD_DBGAPI_WORKGROUP_NONE AMD_DBGAPI_HANDLE_LITERAL(amd_dbgapi_workgroup_id_t, 0)

/** What amd_dbgapi_workgroup_get_info can be asked. */
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
	AMD_DBGAPI_WORKGROUP_INFO_WORKGROUP_COORD = 6
} amd_dbgapi_workgroup_info_t;

/**
 * Ask about a workgroup.
 *
 * @workgroup_id: the workgroup.
 * @query: what to ask; it decides the type of the result.
 * @value_size: bytes at @value; exactly the size of the result.
 * @value: where the result goes; unaltered on error.
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
							     void *value) AMD_DBGAPI_VERSION_0_64;

/**
 * The workgroups of a process that have waves.
 *
 * @process_id: whose workgroups; AMD_DBGAPI_PROCESS_NONE asks for those of all attached processes
 *   together, which are none if nothing is attached.
 * @workgroup_count: how many handles @workgroups holds; 0 with a NULL list.
 * @workgroups: an array of @workgroup_count handles, allocated for the client; NULL if there are
 *   none, or if @changed is given and answers NO.
 * @changed: NULL for the plain list; else answers whether the list differs from the one last asked
 *   for with a @changed, and the list comes only if it does. See "Lists".
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

/*
 * Waves
 *
 * A wave executes one instruction stream for 32 or 64 lanes, each lane a work-item. To a debugger
 * it is what a thread is on the host.
 *
 * Waves come and go without any event: only amd_dbgapi_process_wave_list tells. A handle whose wave
 * has ended answers ERROR_INVALID_WAVE_ID, and a client must expect that of every call for a wave
 * that it did not see stopped.
 *
 * A wave is seen in one of three states. RUN and SINGLE_STEP change to STOP when the client FETCHES
 * the stop event, not before: the wave may long have stopped, but until
 * amd_dbgapi_process_next_pending_event has returned its event AMD_DBGAPI_EVENT_KIND_WAVE_STOP it
 * is still seen as running, has no stop reason, and can still be asked to stop. STOP changes back
 * with amd_dbgapi_wave_resume, which needs that the event was also PROCESSED.
 *
 *   RUN          --- it stops and the event is fetched ---------------->  STOP
 *   SINGLE_STEP  --- it stops and the event is fetched ---------------->  STOP
 *   STOP         --- the event is processed, amd_dbgapi_wave_resume --->  RUN or SINGLE_STEP
 *
 * A wave with a stop reason stays where it is; the waves beside it run on, unless the client stops
 * them.
 */

/** A wave. */
typedef struct {
	uint64_t handle;
} amd_dbgapi_wave_id_t;

/** The null handle: stands for no wave. */
#define AMD_DBGAPI_WAVE_NONE AMD_DBGAPI_HANDLE_LITERAL(amd_dbgapi_wave_id_t, 0)

/** What amd_dbgapi_wave_get_info can be asked. */
typedef enum {
	/**
	 * The state it is seen in.
	 *
	 * Result: uint32_t, one of amd_dbgapi_wave_state_t.
	 */
	AMD_DBGAPI_WAVE_INFO_STATE = 1,
	/**
	 * Why it has stopped. AMD_DBGAPI_WAVE_STOP_REASON_NONE if it was asked to.
	 *
	 * Result: uint32_t, a mask of amd_dbgapi_wave_stop_reasons_t; the wave must be stopped.
	 */
	AMD_DBGAPI_WAVE_INFO_STOP_REASON = 2,
	/**
	 * The watchpoints that it has hit; watchpoint_ids is allocated for the client.
	 *
	 * Result: amd_dbgapi_watchpoint_list_t, allocated for the client; the wave must be stopped.
	 */
	AMD_DBGAPI_WAVE_INFO_WATCHPOINTS = 3,
	/**
	 * Its workgroup.
	 *
	 * Result: amd_dbgapi_workgroup_id_t.
	 */
	AMD_DBGAPI_WAVE_INFO_WORKGROUP = 4,
	/**
	 * Its dispatch. Not available for waves that had started before the debugger could have the
	 * hardware keep such facts: attaching to a process that was not prepared for it.
	 *
	 * Result: amd_dbgapi_dispatch_id_t.
	 */
	AMD_DBGAPI_WAVE_INFO_DISPATCH = 5,
	/**
	 * The queue of its dispatch.
	 *
	 * Result: amd_dbgapi_queue_id_t.
	 */
	AMD_DBGAPI_WAVE_INFO_QUEUE = 6,
	/**
	 * The agent that runs it.
	 *
	 * Result: amd_dbgapi_agent_id_t.
	 */
	AMD_DBGAPI_WAVE_INFO_AGENT = 7,
	/**
	 * Its process.
	 *
	 * Result: amd_dbgapi_process_id_t.
	 */
	AMD_DBGAPI_WAVE_INFO_PROCESS = 8,
	/**
	 * The architecture of its agent.
	 *
	 * Result: amd_dbgapi_architecture_id_t.
	 */
	AMD_DBGAPI_WAVE_INFO_ARCHITECTURE = 9,
	/**
	 * The address of its next instruction.
	 *
	 * Result: amd_dbgapi_global_address_t; the wave must be stopped.
	 */
	AMD_DBGAPI_WAVE_INFO_PC = 10,
	/**
	 * Its active lanes: bit n is set if lane n is active.
	 *
	 * Result: uint64_t; the wave must be stopped.
	 */
	AMD_DBGAPI_WAVE_INFO_EXEC_MASK = 11,
	/**
	 * The place of its workgroup in the grid, in workgroups, in x, y and z. Not available when
	 * the dispatch is not.
	 *
	 * Result: uint32_t[3].
	 */
	AMD_DBGAPI_WAVE_INFO_WORKGROUP_COORD = 12,
	/**
	 * Its number within the workgroup, from 0. Work-items are given to waves in order, x first.
	 * Not available when the dispatch is not.
	 *
	 * Result: uint32_t.
	 */
	AMD_DBGAPI_WAVE_INFO_WAVE_NUMBER_IN_WORKGROUP = 13,
	/**
	 * How many lanes it has, active or not.
	 *
	 * Result: size_t.
	 */
	AMD_DBGAPI_WAVE_INFO_LANE_COUNT = 14
} amd_dbgapi_wave_info_t;

/**
 * Ask about a wave.
 *
 * @wave_id: the wave.
 * @query: what to ask; it decides the type of the result.
 * @value_size: bytes at @value; exactly the size of the result.
 * @value: where the result goes; unaltered on error.
 *
 * Return:
 * - SUCCESS: @value holds the result.
 * - ERROR_INVALID_WAVE_ID: @wave_id names no wave.
 * - ERROR_INVALID_ARGUMENT: @value is NULL or @query is not one of the queries.
 * - ERROR_INVALID_ARGUMENT_COMPATIBILITY: @value_size is not the size of the result.
 * - ERROR_NOT_AVAILABLE: the value is not known for this wave.
 * - ERROR_WAVE_NOT_STOPPED: the query needs a stopped wave, and this one is not seen as stopped.
 *   Checked right after the handle.
 * - ERROR_CLIENT_CALLBACK: allocate_memory returned NULL.
 * - FATAL or ERROR_NOT_INITIALIZED: as for every function.
 */
amd_dbgapi_status_t AMD_DBGAPI amd_dbgapi_wave_get_info(amd_dbgapi_wave_id_t wave_id,
							amd_dbgapi_wave_info_t query,
							size_t value_size,
							void *value) AMD_DBGAPI_VERSION_0_64;

/** The state in which a wave is seen: see "Waves". */
typedef enum {
	/** It runs, or its stop has not been fetched. */
	AMD_DBGAPI_WAVE_STATE_RUN = 1,
	/** It executes one instruction, or its stop after it has not been fetched. */
	AMD_DBGAPI_WAVE_STATE_SINGLE_STEP = 2,
	/** It is stopped, and the client has been told. */
	AMD_DBGAPI_WAVE_STATE_STOP = 3
} amd_dbgapi_wave_state_t;

/**
 * Why a wave has stopped, as a mask: there may be several reasons at once, since a device goes on
 * for a while after a memory operation has failed.
 *
 * With memory violations, address errors, watchpoints and ECC errors the pc may already be behind
 * the instruction that caused them, unless precision was asked for and had:
 * amd_dbgapi_set_memory_precision. For arithmetic exceptions the same holds with
 * amd_dbgapi_set_alu_exceptions_precision.
 */
typedef enum {
	/** No bits: the client asked it to stop. */
	AMD_DBGAPI_WAVE_STOP_REASON_NONE = 0,
	/**
	 * A breakpoint instruction. AMD_DBGAPI_ARCHITECTURE_INFO_BREAKPOINT_INSTRUCTION_PC_ADJUST
	 * leads from the pc to its address.
	 */
	AMD_DBGAPI_WAVE_STOP_REASON_BREAKPOINT = (1 << 0),
	/** An access to watched memory: AMD_DBGAPI_WAVE_INFO_WATCHPOINTS says which. */
	AMD_DBGAPI_WAVE_STOP_REASON_WATCHPOINT = (1 << 1),
	/** The one instruction it was resumed for is done. */
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
	 * A debug trap of the program (__builtin_debugtrap). The pc is behind it. Without a
	 * debugger it does nothing.
	 */
	AMD_DBGAPI_WAVE_STOP_REASON_DEBUG_TRAP = (1 << 10),
	/** An assert trap of the program (__builtin_trap). The pc is at it. */
	AMD_DBGAPI_WAVE_STOP_REASON_ASSERT_TRAP = (1 << 11),
	/** Another trap of the program. The pc is at it. */
	AMD_DBGAPI_WAVE_STOP_REASON_TRAP = (1 << 12),
	/** An access to memory that is not mapped, or not for this kind of access. */
	AMD_DBGAPI_WAVE_STOP_REASON_MEMORY_VIOLATION = (1 << 13),
	/** An address outside its address space or not aligned. */
	AMD_DBGAPI_WAVE_STOP_REASON_ADDRESS_ERROR = (1 << 14),
	/** Older name of AMD_DBGAPI_WAVE_STOP_REASON_ADDRESS_ERROR. */
	AMD_DBGAPI_WAVE_STOP_REASON_APERTURE_VIOLATION AMD_DBGAPI_DEPRECATED =
		AMD_DBGAPI_WAVE_STOP_REASON_ADDRESS_ERROR,
	/** Bytes that are no instruction. The pc is at them. */
	AMD_DBGAPI_WAVE_STOP_REASON_ILLEGAL_INSTRUCTION = (1 << 15),
	/** Memory that could not be corrected. */
	AMD_DBGAPI_WAVE_STOP_REASON_ECC_ERROR = (1 << 16),
	/** A hardware error after which the wave does not go on. */
	AMD_DBGAPI_WAVE_STOP_REASON_FATAL_HALT = (1 << 17)
} amd_dbgapi_wave_stop_reasons_t;

/**
 * The waves of a process. Waves that are held by AMD_DBGAPI_WAVE_CREATION_STOP are not among them.
 *
 * @process_id: whose waves; AMD_DBGAPI_PROCESS_NONE asks for those of all attached processes
 *   together, which are none if nothing is attached.
 * @wave_count: how many handles @waves holds; 0 with a NULL list.
 * @waves: an array of @wave_count handles, allocated for the client; NULL if there are none, or if
 *   @changed is given and answers NO.
 * @changed: NULL for the plain list; else answers whether the list differs from the one last asked
 *   for with a @changed, and the list comes only if it does. See "Lists".
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
 * Ask a wave to stop. One event will answer: AMD_DBGAPI_EVENT_KIND_WAVE_STOP when it has stopped,
 * or AMD_DBGAPI_EVENT_KIND_WAVE_COMMAND_TERMINATED if it ended first. The event comes in
 * AMD_DBGAPI_PROGRESS_NO_FORWARD too, and may be pending when the function returns.
 *
 * A wave that has stopped by itself, but whose event has not been fetched, may be asked: nothing
 * changes, and that event with its own reasons is the answer. So look at the reasons also after a
 * stop that was asked for. A wave that was being single-stepped answers with WAVE_STOP if it stops,
 * with the SINGLE_STEP reason if the instruction was executed, or with WAVE_COMMAND_TERMINATED if
 * the command could not be completed.
 *
 * @wave_id: the wave.
 *
 * Return:
 * - SUCCESS: the answer will come, or is pending.
 * - ERROR_INVALID_WAVE_ID: no such wave; it may have ended.
 * - ERROR_WAVE_STOPPED: it is seen as stopped.
 * - ERROR_WAVE_OUTSTANDING_STOP: it was asked already, and the answer has not been fetched.
 * - ERROR_PROCESS_FROZEN: its process is frozen.
 * - FATAL or ERROR_NOT_INITIALIZED: as for every function.
 */
amd_dbgapi_status_t AMD_DBGAPI amd_dbgapi_wave_stop(amd_dbgapi_wave_id_t wave_id)
	AMD_DBGAPI_VERSION_0_76;

/** How a wave goes on. */
typedef enum {
	/** Until something stops it. */
	AMD_DBGAPI_RESUME_MODE_NORMAL = 0,
	/** For one instruction. */
	AMD_DBGAPI_RESUME_MODE_SINGLE_STEP = 1
} amd_dbgapi_resume_mode_t;

/**
 * Let a stopped wave go on. In AMD_DBGAPI_PROGRESS_NO_FORWARD it may not do so before the mode is
 * AMD_DBGAPI_PROGRESS_NORMAL. Its stop reasons are cleared.
 *
 * After AMD_DBGAPI_RESUME_MODE_SINGLE_STEP one event is certain: AMD_DBGAPI_EVENT_KIND_WAVE_STOP,
 * or AMD_DBGAPI_EVENT_KIND_WAVE_COMMAND_TERMINATED if the instruction ended the wave. A wave that
 * was resumed normally may end without any event.
 *
 * What made a wave stop is lost on the program unless it is handed on: exceptions given here are
 * reported to the runtime, as they would have been without a debugger, which as a rule puts the
 * queue into error and ends the program. A client that passes on a fault gives the exception that
 * belongs to the stop reason.
 *
 * @wave_id: the wave.
 * @resume_mode: how to go on.
 * @exceptions: what to report to the runtime: a mask of the AMD_DBGAPI_EXCEPTION_WAVE_... bits, or
 *   AMD_DBGAPI_EXCEPTION_NONE.
 *
 * Return:
 * - SUCCESS: the wave goes on.
 * - ERROR_INVALID_WAVE_ID: no such wave.
 * - ERROR_INVALID_ARGUMENT: @resume_mode is no mode, or @exceptions has bits that are not of waves.
 * - ERROR_WAVE_NOT_STOPPED: it is not seen as stopped.
 * - ERROR_WAVE_NOT_RESUMABLE: the event of its stop was fetched but not yet processed, or it has
 *   stopped for good.
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
 * A wave at a breakpoint has to execute the instruction that the breakpoint has overwritten. To put
 * the instruction back for that moment would let other waves slip past. Displaced stepping executes
 * a copy of it in a buffer elsewhere, corrected for what depends on its address:
 *
 *   amd_dbgapi_displaced_stepping_start        a buffer is taken
 *   amd_dbgapi_wave_resume SINGLE_STEP, then wait for the event
 *   amd_dbgapi_displaced_stepping_complete     the buffer is given back, the pc is put right
 *
 * Buffers are few, but there is always one. If none is free, complete other steps first, or try
 * another wave: waves at the same breakpoint may share one. A step that was stopped before its
 * instruction was done is completed in the same way, and leaves the wave at the breakpoint.
 */

/** A displaced step in work. */
typedef struct {
	uint64_t handle;
} amd_dbgapi_displaced_stepping_id_t;

/** The null handle: stands for no displaced stepping. */
#define AMD_DBGAPI_DISPLACED_STEPPING_NONE                                                         \
	AMD_DBGAPI_HANDLE_LITERAL(amd_dbgapi_displaced_stepping_id_t, 0)

/** What amd_dbgapi_displaced_stepping_get_info can be asked. */
typedef enum {
	/**
	 * The process of its wave.
	 *
	 * Result: amd_dbgapi_process_id_t.
	 */
	AMD_DBGAPI_DISPLACED_STEPPING_INFO_PROCESS = 1
} amd_dbgapi_displaced_stepping_info_t;

/**
 * Ask about a displaced step.
 *
 * @displaced_stepping_id: the displaced stepping.
 * @query: what to ask; it decides the type of the result.
 * @value_size: bytes at @value; exactly the size of the result.
 * @value: where the result goes; unaltered on error.
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
 * Prepare a displaced step of a stopped wave, at its pc. The pc and other registers may be changed:
 * what the client keeps of them is stale, and what it wants written must be written before.
 *
 * A wave counts as stopped here as soon as it stands still, as for its registers: also if its state is
 * not STOP yet because its event was not returned. That its process is frozen is no hindrance, other than
 * for amd_dbgapi_displaced_stepping_complete. (So does AMD's library, which documents neither.)
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
 * Finish a displaced step: the pc is put where it would be in place, and the buffer is free again.
 * The wave must be stopped, whether or not the instruction was executed; if its stop reasons
 * contain SINGLE_STEP it was. A wave that has ended has given back its buffer by itself.
 *
 * @wave_id: the wave.
 * @displaced_stepping: its displaced step. Invalid afterwards.
 *
 * Return:
 * - SUCCESS: the step is finished.
 * - ERROR_INVALID_WAVE_ID: no such wave.
 * - ERROR_INVALID_DISPLACED_STEPPING_ID: no such displaced step.
 * - ERROR_WAVE_NOT_STOPPED: the wave runs. One that stands still counts as stopped, see above.
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
 * A watchpoint makes waves stop that access a range of global memory. They are few, made by
 * hardware, and cover ranges of their own shape: a power of two in size, aligned to it.
 */

/** A watchpoint. */
typedef struct {
	uint64_t handle;
} amd_dbgapi_watchpoint_id_t;

/** The null handle: stands for no watchpoint. */
#define AMD_DBGAPI_WATCHPOINT_NONE AMD_DBGAPI_HANDLE_LITERAL(amd_dbgapi_watchpoint_id_t, 0)

/** What amd_dbgapi_watchpoint_get_info can be asked. */
typedef enum {
	/**
	 * The process it is set in.
	 *
	 * Result: amd_dbgapi_process_id_t.
	 */
	AMD_DBGAPI_WATCHPOINT_INFO_PROCESS = 1,
	/**
	 * Where it begins: not above what was asked for.
	 *
	 * Result: amd_dbgapi_global_address_t.
	 */
	AMD_DBGAPI_WATCHPOINT_INFO_ADDRESS = 2,
	/**
	 * How many bytes it covers.
	 *
	 * Result: amd_dbgapi_size_t.
	 */
	AMD_DBGAPI_WATCHPOINT_INFO_SIZE = 3
} amd_dbgapi_watchpoint_info_t;

/**
 * Ask about a watchpoint, above all what it really covers.
 *
 * @watchpoint_id: the watchpoint.
 * @query: what to ask; it decides the type of the result.
 * @value_size: bytes at @value; exactly the size of the result.
 * @value: where the result goes; unaltered on error.
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

/** Whether processes contend for watchpoints. */
typedef enum {
	/** There are none. */
	AMD_DBGAPI_WATCHPOINT_SHARE_KIND_UNSUPPORTED = 0,
	/** Each process has its own. */
	AMD_DBGAPI_WATCHPOINT_SHARE_KIND_UNSHARED = 1,
	/** All processes share them: one may find none left. */
	AMD_DBGAPI_WATCHPOINT_SHARE_KIND_SHARED = 2
} amd_dbgapi_watchpoint_share_kind_t;

/** Which accesses a watchpoint catches. */
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
 * Watch a range of global memory on all agents of a process. What is watched includes @address and
 * as much of the range as one watchpoint can cover, and may begin before it and end behind it: ask
 * amd_dbgapi_watchpoint_get_info, set another for what was not covered, and tell hits that do not
 * matter from those that do.
 *
 * @process_id: the process.
 * @address: where the range begins.
 * @size: its bytes, more than 0.
 * @kind: which accesses to catch.
 * @watchpoint_id: set to the new handle.
 *
 * Return:
 * - SUCCESS: the watchpoint is set.
 * - ERROR_INVALID_PROCESS_ID: no such attached process.
 * - ERROR_NO_WATCHPOINT_AVAILABLE: all are in use.
 * - ERROR_NOT_SUPPORTED: an agent cannot do this, or not this kind.
 * - ERROR_INVALID_ARGUMENT: @watchpoint_id is NULL, @size is 0 or @kind is none.
 * - ERROR_PROCESS_FROZEN: the process is frozen.
 * - FATAL or ERROR_NOT_INITIALIZED: as for every function.
 */
amd_dbgapi_status_t AMD_DBGAPI
amd_dbgapi_set_watchpoint(amd_dbgapi_process_id_t process_id, amd_dbgapi_global_address_t address,
			  amd_dbgapi_size_t size, amd_dbgapi_watchpoint_kind_t kind,
			  amd_dbgapi_watchpoint_id_t *watchpoint_id) AMD_DBGAPI_VERSION_0_76;

/**
 * Remove a watchpoint. Waves that have hit it and whose events are pending stay stopped.
 *
 * @watchpoint_id: the watchpoint. Invalid afterwards.
 *
 * Return:
 * - SUCCESS: it is removed.
 * - ERROR_INVALID_WATCHPOINT_ID: no such watchpoint.
 * - ERROR_PROCESS_FROZEN: its process is frozen.
 * - FATAL or ERROR_NOT_INITIALIZED: as for every function.
 */
amd_dbgapi_status_t AMD_DBGAPI
amd_dbgapi_remove_watchpoint(amd_dbgapi_watchpoint_id_t watchpoint_id) AMD_DBGAPI_VERSION_0_76;

/*
 * Registers
 *
 * The registers of an architecture are a fixed list. Which of them a wave has depends on the wave:
 * on how many were allocated for its kernel, on how many lanes it has, and on what the hardware
 * keeps. Names are not unique: where waves of 32 and of 64 lanes exist, there are two registers
 * "v0", of which a wave has one.
 */

/**
 * A group of registers of an architecture that belong together for people, such as all vector
 * registers. A register may be in several.
 */
typedef struct {
	uint64_t handle;
} amd_dbgapi_register_class_id_t;

/** The null handle: stands for no register class. */
#define AMD_DBGAPI_REGISTER_CLASS_NONE AMD_DBGAPI_HANDLE_LITERAL(amd_dbgapi_register_class_id_t, 0)

/** What amd_dbgapi_architecture_register_class_get_info can be asked. */
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
 * Ask about a register class.
 *
 * @register_class_id: the class.
 * @query: what to ask; it decides the type of the result.
 * @value_size: bytes at @value; exactly the size of the result.
 * @value: where the result goes; unaltered on error.
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
 * The register classes of an architecture.
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

/** The null handle: stands for no register. */
#define AMD_DBGAPI_REGISTER_NONE AMD_DBGAPI_HANDLE_LITERAL(amd_dbgapi_register_id_t, 0)

/** What to know before a register is written or its value kept, as a mask. */
typedef enum {
	/** Nothing special. */
	AMD_DBGAPI_REGISTER_PROPERTY_NONE = 0,
	/**
	 * It has bits that stay as they are when it is written: read it again to see its value.
	 */
	AMD_DBGAPI_REGISTER_PROPERTY_READONLY_BITS = (1 << 0),
	/**
	 * Its value may change while the wave is stopped, when other registers are written: do not
	 * keep it.
	 */
	AMD_DBGAPI_REGISTER_PROPERTY_VOLATILE = (1 << 1),
	/** Writing it may change the registers that are VOLATILE. */
	AMD_DBGAPI_REGISTER_PROPERTY_INVALIDATE_VOLATILE = (1 << 2)
} amd_dbgapi_register_properties_t;

/** What amd_dbgapi_register_get_info can be asked. */
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
	 * Its bytes: for a vector register those of all lanes.
	 *
	 * Result: amd_dbgapi_size_t.
	 */
	AMD_DBGAPI_REGISTER_INFO_SIZE = 3,
	/**
	 * How to show its value: a type in a small language that looks like C, of the same size as
	 * the register.
	 *
	 *   type     = scalar | scalar "[" NUMBER "]"
	 *   scalar   = integer | "float" | "double" | "void (*)()" | flags
	 *   integer  = "int32_t" | "uint32_t" | "int64_t" | "uint64_t"
	 *   flags    = ("flags32_t" | "flags64_t") NAME ["{" {field ";"} "}"]
	 *   field    = "bool" NAME "@" BIT
	 *            | (integer | enum) NAME "@" BIT "-" BIT
	 *   enum     = "enum" NAME ["{" [NAME "=" NUMBER {"," NAME "=" NUMBER}] "}"]
	 *
	 * An array has one element for each lane. void (*)() stands for a code address, which has 8
	 * bytes. A NAME starts with a letter and goes on with letters, digits, "_" and "."; numbers
	 * are decimal; the two bits of a range are its lowest and its highest, and bit 0 is the
	 * least significant. Blanks may stand between all parts. Clients parse this text, so it is
	 * kept exactly.
	 *
	 * Result: char *, allocated for the client.
	 */
	AMD_DBGAPI_REGISTER_INFO_TYPE = 4,
	/**
	 * Its number in DWARF, as AMD has assigned them. Not available for registers that have
	 * none.
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
 * Ask about a register. Here NULL is checked before the query.
 *
 * @register_id: the register.
 * @query: what to ask; it decides the type of the result.
 * @value_size: bytes at @value; exactly the size of the result.
 * @value: where the result goes; unaltered on error.
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
	/** It has not. */
	AMD_DBGAPI_REGISTER_ABSENT = 0,
	/** It has. */
	AMD_DBGAPI_REGISTER_PRESENT = 1
} amd_dbgapi_register_exists_t;

/**
 * Tell whether a wave has a register. The wave may be running.
 *
 * @wave_id: the wave.
 * @register_id: the register.
 * @exists: set to the answer.
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
 * All registers of an architecture, in their fixed order, which clients use as numbering.
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
 * The registers that a wave has, in the order of the architecture.
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
 * Find the register that a DWARF number stands for.
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
	/** It is not. */
	AMD_DBGAPI_REGISTER_CLASS_STATE_NOT_MEMBER = 0,
	/** It is. */
	AMD_DBGAPI_REGISTER_CLASS_STATE_MEMBER = 1
} amd_dbgapi_register_class_state_t;

/**
 * Tell whether a register is in a class.
 *
 * @register_class_id: the class.
 * @register_id: the register.
 * @register_class_state: set to the answer.
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
 * Here "stopped" means that the wave has in fact stopped: a register can be read from the moment
 * on, even before the stop event is fetched.
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
 *   the bytes reach behind its end.
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
 * amd_dbgapi_read_register; the other bytes keep their value, and so do bits that cannot be
 * written. What else may change, the register's properties tell.
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
 *   the bytes reach behind its end.
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
 * Tell the library that registers are going to be read, so that it may fetch them together. It
 * changes nothing but the time that reading takes; what was fetched is forgotten when the wave goes
 * on.
 *
 * @wave_id: the wave.
 * @register_id: the first register.
 * @register_count: how many, counted in the order of amd_dbgapi_wave_register_list; those behind
 *   the last one are left out.
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

/** What goes with AMD_DBGAPI_INSTRUCTION_KIND_DIRECT_CALL_REGISTER_PAIR. */
typedef struct {
	/** Where the call goes. */
	amd_dbgapi_global_address_t target_address;
	/**
	 * The pair of registers in which the return address is left: its low, then its high 32
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
 * An address means something in an address space only. A device has several: "global", which the
 * host and all devices see; "local", the memory of a workgroup; "private_lane", the memory of one
 * lane, and "private_wave", that of the lanes of a wave as it is interleaved in storage; "generic",
 * which contains the others in ranges of its own; "region", where hardware has it. Which address
 * stands for which byte may so depend on the wave and on the lane.
 *
 * An address class is what a source language calls a kind of memory, by its DWARF number. It is in
 * one address space.
 */

/** An address class of an architecture. */
typedef struct {
	uint64_t handle;
} amd_dbgapi_address_class_id_t;

/** The null handle: stands for no address class. */
#define AMD_DBGAPI_ADDRESS_CLASS_NONE AMD_DBGAPI_HANDLE_LITERAL(amd_dbgapi_address_class_id_t, 0)

/** What amd_dbgapi_address_class_get_info can be asked. */
typedef enum {
	/**
	 * Its name.
	 *
	 * Result: char *, allocated for the client.
	 */
	AMD_DBGAPI_ADDRESS_CLASS_INFO_NAME = 1,
	/**
	 * The address space that its addresses are in.
	 *
	 * Result: amd_dbgapi_address_space_id_t.
	 */
	AMD_DBGAPI_ADDRESS_CLASS_INFO_ADDRESS_SPACE = 2,
	/**
	 * Its number in DWARF.
	 *
	 * Result: uint64_t.
	 */
	AMD_DBGAPI_ADDRESS_CLASS_INFO_DWARF = 3
} amd_dbgapi_address_class_info_t;

/**
 * Ask about an address class.
 *
 * @address_class_id: the class.
 * @query: what to ask; it decides the type of the result.
 * @value_size: bytes at @value; exactly the size of the result.
 * @value: where the result goes; unaltered on error.
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
 * The address classes of an architecture.
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
 * Find the address class that a DWARF number stands for.
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

/** The null handle: stands for no address space. */
#define AMD_DBGAPI_ADDRESS_SPACE_NONE AMD_DBGAPI_HANDLE_LITERAL(amd_dbgapi_address_space_id_t, 0)

/** The global address space of every architecture, which needs neither wave nor lane. */
#define AMD_DBGAPI_ADDRESS_SPACE_GLOBAL AMD_DBGAPI_HANDLE_LITERAL(amd_dbgapi_address_space_id_t, 1)

/** Who may change the memory of an address space, and when. */
typedef enum {
	/** Everybody, at any time. */
	AMD_DBGAPI_ADDRESS_SPACE_ACCESS_ALL = 1,
	/** Nobody while the program runs. */
	AMD_DBGAPI_ADDRESS_SPACE_ACCESS_PROGRAM_CONSTANT = 2,
	/** Nobody while a dispatch runs; what the host writes is seen by later ones. */
	AMD_DBGAPI_ADDRESS_SPACE_ACCESS_DISPATCH_CONSTANT = 3
} amd_dbgapi_address_space_access_t;

/** What amd_dbgapi_address_space_get_info can be asked. */
typedef enum {
	/**
	 * Its name.
	 *
	 * Result: char *, allocated for the client.
	 */
	AMD_DBGAPI_ADDRESS_SPACE_INFO_NAME = 1,
	/**
	 * How many bits an address has: 64 or 32. (AMD's documentation calls the unit bytes; its
	 * library answers bits.)
	 *
	 * Result: amd_dbgapi_size_t.
	 */
	AMD_DBGAPI_ADDRESS_SPACE_INFO_ADDRESS_SIZE = 2,
	/**
	 * The address that stands for no place.
	 *
	 * Result: amd_dbgapi_segment_address_t.
	 */
	AMD_DBGAPI_ADDRESS_SPACE_INFO_NULL_ADDRESS = 3,
	/**
	 * Who may change its memory.
	 *
	 * Result: uint32_t, one of amd_dbgapi_address_space_access_t.
	 */
	AMD_DBGAPI_ADDRESS_SPACE_INFO_ACCESS = 4,
	/**
	 * Its number in DWARF.
	 *
	 * Result: uint64_t.
	 */
	AMD_DBGAPI_ADDRESS_SPACE_INFO_DWARF = 5
} amd_dbgapi_address_space_info_t;

/**
 * Ask about an address space.
 *
 * @address_space_id: the address space.
 * @query: what to ask; it decides the type of the result.
 * @value_size: bytes at @value; exactly the size of the result.
 * @value: where the result goes; unaltered on error.
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
 * The address spaces of an architecture.
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
 * Find the address space that a DWARF number stands for.
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
 * An address in some address space. Only as many low bits count as
 * AMD_DBGAPI_ADDRESS_SPACE_INFO_ADDRESS_SIZE says.
 */
typedef uint64_t amd_dbgapi_segment_address_t;

/**
 * Find the address in one address space that stands for the same byte as an address in another:
 * which place in local memory, for instance, a generic address means. The NULL address of one is
 * the NULL address of the other.
 *
 * The two may run differently: bytes of a lane that are neighbours in private memory lie apart in
 * global memory, because there the lanes are interleaved word by word. So the answer is good for a
 * number of bytes only; convert again behind them.
 *
 * @wave_id: the wave that uses the address, or AMD_DBGAPI_WAVE_NONE where only the global address
 *   space is concerned.
 * @lane_id: the lane that uses it, or AMD_DBGAPI_LANE_NONE where no lane matters.
 * @source_address_space_id: where the address is from.
 * @source_segment_address: the address.
 * @destination_address_space_id: where to find it.
 * @destination_segment_address: set to the address there; bits it does not have are 0.
 * @destination_contiguous_bytes: set to how many bytes, from there on, still answer to those from
 *   the source address on.
 *
 * Return:
 * - SUCCESS: both outputs are set.
 * - ERROR_INVALID_WAVE_ID: no such wave, or no wave where one is needed.
 * - ERROR_INVALID_LANE_ID: the wave has no such lane, a lane without a wave, or no lane where one
 *   is needed.
 * - ERROR_INVALID_ADDRESS_SPACE_ID: no such address space, for one of the two.
 * - ERROR_INVALID_ADDRESS_SPACE_CONVERSION: the address stands for no place in the other space.
 * - ERROR_INVALID_ARGUMENT: an output is NULL.
 * - ERROR_INVALID_ARGUMENT_COMPATIBILITY: an address space is of another architecture than the
 *   wave.
 * - FATAL or ERROR_NOT_INITIALIZED: as for every function.
 */
amd_dbgapi_status_t AMD_DBGAPI amd_dbgapi_convert_address_space(
	amd_dbgapi_wave_id_t wave_id, amd_dbgapi_lane_id_t lane_id,
	amd_dbgapi_address_space_id_t source_address_space_id,
	amd_dbgapi_segment_address_t source_segment_address,
	amd_dbgapi_address_space_id_t destination_address_space_id,
	amd_dbgapi_segment_address_t *destination_segment_address,
	amd_dbgapi_size_t *destination_contiguous_bytes) AMD_DBGAPI_VERSION_0_62;

/** What the meaning of an address depends on. */
typedef enum {
	/** On nothing: it is the same for all. Not returned for any address space there is. */
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
 * Tell what the meaning of an address depends on, so that a client can share what it keeps of
 * memory. Within the generic address space it differs by address.
 *
 * @address_space_id: the address space.
 * @segment_address: the address.
 * @segment_address_dependency: set to the answer.
 *
 * Return:
 * - SUCCESS: the answer is set.
 * - ERROR_INVALID_ADDRESS_SPACE_ID: no such address space.
 * - ERROR_INVALID_ARGUMENT: @segment_address_dependency is NULL.
 * - FATAL or ERROR_NOT_INITIALIZED: as for every function.
 */
amd_dbgapi_status_t AMD_DBGAPI
amd_dbgapi_address_dependency(amd_dbgapi_address_space_id_t address_space_id,
			      amd_dbgapi_segment_address_t segment_address,
			      amd_dbgapi_segment_address_dependency_t *segment_address_dependency)
	AMD_DBGAPI_VERSION_0_64;

/** Whether an address is in an address class. */
typedef enum {
	/** It is not. */
	AMD_DBGAPI_ADDRESS_CLASS_STATE_NOT_MEMBER = 0,
	/** It is. */
	AMD_DBGAPI_ADDRESS_CLASS_STATE_MEMBER = 1
} amd_dbgapi_address_class_state_t;

/**
 * Tell whether an address is one of a class: whether a generic address, for instance, means local
 * memory.
 *
 * @wave_id: the wave that uses the address, or AMD_DBGAPI_WAVE_NONE where only the global address
 *   space is concerned.
 * @lane_id: the lane that uses it, or AMD_DBGAPI_LANE_NONE where no lane matters.
 * @address_space_id: where the address is from.
 * @segment_address: the address.
 * @address_class_id: the class.
 * @address_class_state: set to the answer.
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
 * Read memory, as a wave or a lane sees it. Memory that ends within the range gives what there is:
 * a short read is a success. Caches of the device are taken into account for the wave itself; for
 * what other waves have written they must be stopped too.
 *
 * Checks come in this order: process, NULL, address space, wave, whether it is stopped, whether the
 * space fits it, lane; then the access.
 *
 * @process_id: the process; always checked, though with a wave it only has to be the wave's.
 * @wave_id: the wave in whose eyes the address is meant. AMD_DBGAPI_WAVE_NONE is possible for the
 *   global address space. A wave must have stopped, even where the address does not need it.
 * @lane_id: the lane in whose eyes it is meant, or AMD_DBGAPI_LANE_NONE where no lane matters. One
 *   that is given is checked, even where it does not matter.
 * @address_space_id: the address space.
 * @segment_address: the first byte.
 * @value_size: in: how many bytes to read; 0 is a success that does nothing. Out: how many were
 *   read.
 * @value: where they go; bytes behind those that were read are unaltered.
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
 * - ERROR_MEMORY_ACCESS: not one byte could be read. *@value_size is set to 0; it is the only error
 *   that changes it.
 * - FATAL or ERROR_NOT_INITIALIZED: as for every function.
 */
amd_dbgapi_status_t AMD_DBGAPI
amd_dbgapi_read_memory(amd_dbgapi_process_id_t process_id, amd_dbgapi_wave_id_t wave_id,
		       amd_dbgapi_lane_id_t lane_id, amd_dbgapi_address_space_id_t address_space_id,
		       amd_dbgapi_segment_address_t segment_address, amd_dbgapi_size_t *value_size,
		       void *value) AMD_DBGAPI_VERSION_0_54;

/**
 * Write memory, as a wave or a lane sees it. A write that cannot be done to its end is a success
 * with a smaller size. Instruction caches are taken care of, so that a breakpoint can be written
 * into code; waves that are to meet it must be stopped at the moment of writing.
 *
 * Checks come in the order of amd_dbgapi_read_memory, and that for a frozen process follows the one
 * for NULL.
 *
 * @process_id: the process; always checked, though with a wave it only has to be the wave's.
 * @wave_id: the wave in whose eyes the address is meant. AMD_DBGAPI_WAVE_NONE is possible for the
 *   global address space. A wave must have stopped, even where the address does not need it.
 * @lane_id: the lane in whose eyes it is meant, or AMD_DBGAPI_LANE_NONE where no lane matters. One
 *   that is given is checked, even where it does not matter.
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
 * - ERROR_MEMORY_ACCESS: not one byte could be written. *@value_size is set to 0; it is the only
 *   error that changes it.
 * - ERROR_PROCESS_FROZEN: the process is frozen.
 * - FATAL or ERROR_NOT_INITIALIZED: as for every function.
 */
amd_dbgapi_status_t AMD_DBGAPI amd_dbgapi_write_memory(
	amd_dbgapi_process_id_t process_id, amd_dbgapi_wave_id_t wave_id,
	amd_dbgapi_lane_id_t lane_id, amd_dbgapi_address_space_id_t address_space_id,
	amd_dbgapi_segment_address_t segment_address, amd_dbgapi_size_t *value_size,
	const void *value) AMD_DBGAPI_VERSION_0_76;

/** Whether a wave that stops for memory does so at the instruction that caused it. */
typedef enum {
	/** It may be behind it. */
	AMD_DBGAPI_MEMORY_PRECISION_NONE = 0,
	/**
	 * It is right behind, or at, that instruction; the device waits for each memory operation,
	 * which costs much time.
	 */
	AMD_DBGAPI_MEMORY_PRECISION_PRECISE = 1
} amd_dbgapi_memory_precision_t;

/**
 * Ask for precise memory faults and watchpoints. It concerns all agents of the process and all
 * instructions executed from now on.
 *
 * @process_id: the process.
 * @memory_precision: the mode.
 *
 * Return:
 * - SUCCESS: the mode is set.
 * - ERROR_INVALID_PROCESS_ID: no such attached process.
 * - ERROR_INVALID_ARGUMENT: @memory_precision is no mode.
 * - ERROR_NOT_SUPPORTED: an agent cannot be precise. The mode stays.
 * - FATAL or ERROR_NOT_INITIALIZED: as for every function.
 */
amd_dbgapi_status_t AMD_DBGAPI amd_dbgapi_set_memory_precision(
	amd_dbgapi_process_id_t process_id,
	amd_dbgapi_memory_precision_t memory_precision) AMD_DBGAPI_VERSION_0_54;

/**
 * Whether a wave that stops for an arithmetic exception does so at the instruction that caused it.
 */
typedef enum {
	/** It may be behind it. */
	AMD_DBGAPI_ALU_EXCEPTIONS_PRECISION_NONE = 0,
	/** It is at that instruction; the device waits for each operation to end. */
	AMD_DBGAPI_ALU_EXCEPTIONS_PRECISION_PRECISE = 1
} amd_dbgapi_alu_exceptions_precision_t;

/**
 * Ask for precise arithmetic exceptions. It concerns all agents of the process and all instructions
 * executed from now on.
 *
 * @process_id: the process.
 * @alu_exceptions_precision: the mode.
 *
 * Return:
 * - SUCCESS: the mode is set.
 * - ERROR_INVALID_PROCESS_ID: no such attached process.
 * - ERROR_INVALID_ARGUMENT: @alu_exceptions_precision is no mode.
 * - ERROR_NOT_SUPPORTED: an agent cannot be precise. The mode stays.
 * - FATAL or ERROR_NOT_INITIALIZED: as for every function.
 */
amd_dbgapi_status_t AMD_DBGAPI amd_dbgapi_set_alu_exceptions_precision(
	amd_dbgapi_process_id_t process_id,
	amd_dbgapi_alu_exceptions_precision_t alu_exceptions_precision) AMD_DBGAPI_VERSION_0_77;

/*
 * Events
 *
 * What happens in a process is queued as events. The notifier (AMD_DBGAPI_PROCESS_INFO_NOTIFIER)
 * becomes readable when one is queued from outside a call. It may be readable with nothing queued,
 * and one mark may stand for many events. To handle it:
 *
 *   wait until the notifier is readable
 *   read it byte by byte until that fails other than with EINTR      <- first reset it,
 *   do {
 *           amd_dbgapi_process_next_pending_event                    <- then fetch all
 *           ...
 *           amd_dbgapi_event_processed
 *   } while there was one
 *
 * In this order nothing is lost. An event is queued, then fetched, then processed. Only in between
 * is its handle valid, and each fetched event must be processed once, for things may wait for it: a
 * wave cannot be resumed before, and for some kinds a thread of the host is held.
 */

/** An event that was fetched and not yet processed. */
typedef struct {
	uint64_t handle;
} amd_dbgapi_event_id_t;

/** The null handle: stands for no event. */
#define AMD_DBGAPI_EVENT_NONE AMD_DBGAPI_HANDLE_LITERAL(amd_dbgapi_event_id_t, 0)

/** What has happened. */
typedef enum {
	/** Nothing: no event is pending. */
	AMD_DBGAPI_EVENT_KIND_NONE = 0,
	/**
	 * A wave has stopped, by itself or because it was asked to. From the moment this is fetched
	 * it is seen so.
	 */
	AMD_DBGAPI_EVENT_KIND_WAVE_STOP = 1,
	/**
	 * A wave was asked to stop or to make a step and ended instead. Its handle is invalid as a
	 * rule; which command failed is for the client to remember.
	 */
	AMD_DBGAPI_EVENT_KIND_WAVE_COMMAND_TERMINATED = 2,
	/**
	 * Code objects were loaded or unloaded. The host thread that did it is held until the event
	 * is processed, so that breakpoints can be set before new code runs. After it
	 * AMD_DBGAPI_EVENT_KIND_BREAKPOINT_RESUME may follow.
	 */
	AMD_DBGAPI_EVENT_KIND_CODE_OBJECT_LIST_UPDATED = 3,
	/**
	 * A host thread that the client was told to hold, by AMD_DBGAPI_BREAKPOINT_ACTION_HALT, is
	 * to go on. Resume it, then process the event.
	 */
	AMD_DBGAPI_EVENT_KIND_BREAKPOINT_RESUME = 4,
	/**
	 * The runtime in the process was loaded or unloaded, or one was loaded that the library
	 * cannot work with. Between unloading and loading there are no code objects and no waves. A
	 * host thread may be held until it is processed.
	 */
	AMD_DBGAPI_EVENT_KIND_RUNTIME = 5,
	/**
	 * A queue is in error. Its waves make no further step, and those that were being
	 * single-stepped have answered with WAVE_COMMAND_TERMINATED. The runtime learns of it when
	 * the event is processed, and may then delete the queue with all its waves: look at them
	 * before. Not raised by libraries that do not follow errors of queues.
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

/** What became of the runtime in a process. */
typedef enum {
	/** It is loaded, and can be debugged. */
	AMD_DBGAPI_RUNTIME_STATE_LOADED_SUCCESS = 1,
	/** It was unloaded. */
	AMD_DBGAPI_RUNTIME_STATE_UNLOADED = 2,
	/** It is loaded, and cannot be debugged: see AMD_DBGAPI_STATUS_ERROR_RESTRICTION. */
	AMD_DBGAPI_RUNTIME_STATE_LOADED_ERROR_RESTRICTION = 3
} amd_dbgapi_runtime_state_t;

/** What amd_dbgapi_event_get_info can be asked, for events of the kinds given. */
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
	 * The thread to resume, as the client has named it. BREAKPOINT_RESUME.
	 *
	 * Result: amd_dbgapi_client_thread_id_t.
	 */
	AMD_DBGAPI_EVENT_INFO_CLIENT_THREAD = 5,
	/**
	 * What became of the runtime. RUNTIME.
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
 * Ask about an event.
 *
 * @event_id: the event.
 * @query: what to ask; it decides the type of the result.
 * @value_size: bytes at @value; exactly the size of the result.
 * @value: where the result goes; unaltered on error.
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
 * Say that everything was done that an event asks for. What was held for it goes on.
 *
 * @event_id: the event. Invalid afterwards.
 *
 * Return:
 * - SUCCESS: the event is gone.
 * - ERROR_INVALID_EVENT_ID: no such event, or one that was processed.
 * - ERROR_INVALID_ARGUMENT: not answered at this level: the function takes nothing but the handle.
 * - FATAL or ERROR_NOT_INITIALIZED: as for every function.
 */
amd_dbgapi_status_t AMD_DBGAPI amd_dbgapi_event_processed(amd_dbgapi_event_id_t event_id)
	AMD_DBGAPI_VERSION_0_54;

/*
 * Logging
 *
 * The library prints nothing by itself: messages go to the client's log_message callback.
 */

/** Which messages are wanted: those of a level and of all below it. */
typedef enum {
	/** None. */
	AMD_DBGAPI_LOG_LEVEL_NONE = 0,
	/** Why a function has answered FATAL. */
	AMD_DBGAPI_LOG_LEVEL_FATAL_ERROR = 1,
	/** What looks wrong but can be lived with. */
	AMD_DBGAPI_LOG_LEVEL_WARNING = 2,
	/** What the library does. */
	AMD_DBGAPI_LOG_LEVEL_INFO = 3,
	/** Every call with arguments and results. */
	AMD_DBGAPI_LOG_LEVEL_TRACE = 4,
	/** Everything. */
	AMD_DBGAPI_LOG_LEVEL_VERBOSE = 5
} amd_dbgapi_log_level_t;

/**
 * Set which messages are wanted. May be called at any time; messages begin with the initialization.
 * A level that is none is ignored. At the start it is AMD_DBGAPI_LOG_LEVEL_NONE.
 *
 * @level: the level.
 */
void AMD_DBGAPI amd_dbgapi_set_log_level(amd_dbgapi_log_level_t level) AMD_DBGAPI_VERSION_0_54;

/*
 * Breakpoints of the library
 *
 * The library itself wants to know when the runtime in a process has loaded code. For that it asks
 * the client, which controls the host threads, to insert breakpoints in host code and to report
 * when they are hit.
 */

/** A breakpoint that the library has asked for. */
typedef struct {
	uint64_t handle;
} amd_dbgapi_breakpoint_id_t;

/** The null handle: stands for no breakpoint. */
#define AMD_DBGAPI_BREAKPOINT_NONE AMD_DBGAPI_HANDLE_LITERAL(amd_dbgapi_breakpoint_id_t, 0)

/** What amd_dbgapi_breakpoint_get_info can be asked. */
typedef enum {
	/**
	 * The process it was asked for.
	 *
	 * Result: amd_dbgapi_process_id_t.
	 */
	AMD_DBGAPI_BREAKPOINT_INFO_PROCESS = 1
} amd_dbgapi_breakpoint_info_t;

/**
 * Ask about a breakpoint.
 *
 * @breakpoint_id: the breakpoint.
 * @query: what to ask; it decides the type of the result.
 * @value_size: bytes at @value; exactly the size of the result.
 * @value: where the result goes; unaltered on error.
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

/** What to do with a host thread that has hit a breakpoint. */
typedef enum {
	/** Let it go on. */
	AMD_DBGAPI_BREAKPOINT_ACTION_RESUME = 1,
	/** Hold it until an event AMD_DBGAPI_EVENT_KIND_BREAKPOINT_RESUME names it. */
	AMD_DBGAPI_BREAKPOINT_ACTION_HALT = 2
} amd_dbgapi_breakpoint_action_t;

/**
 * A host thread as the client names it. The library only passes it back, in an event
 * AMD_DBGAPI_EVENT_KIND_BREAKPOINT_RESUME.
 */
typedef struct amd_dbgapi_client_thread_s *amd_dbgapi_client_thread_id_t;

/**
 * Report that a host thread has hit a breakpoint of the library. The thread is held during the
 * call. If it is to be held on, events are pending: fetch and process them, and the one that lets
 * it go will come.
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

/** What the client_process_get_info callback is asked. */
typedef enum {
	/**
	 * The process id, which must stay the same. The client must be tracing the process (ptrace)
	 * before it attaches, if the library is to stop it. NOT_AVAILABLE for a process that is
	 * read from a core file.
	 *
	 * Result: amd_dbgapi_os_process_id_t.
	 */
	AMD_DBGAPI_CLIENT_PROCESS_INFO_OS_PID = 1,
	/**
	 * What AMD_DBGAPI_PROCESS_INFO_CORE_STATE once returned, read back from a core file. Its
	 * @data comes from allocate_memory and becomes the library's. NOT_AVAILABLE if it is no
	 * core file or has none.
	 *
	 * Result: amd_dbgapi_core_state_data_t.
	 */
	AMD_DBGAPI_CLIENT_PROCESS_INFO_CORE_STATE = 2
} amd_dbgapi_client_process_info_t;

/**
 * What the client does for the library. All entries must be set. A callback must not call the
 * library, and is made on the thread that has called it.
 *
 * Statuses that a callback may answer are given with it; another one makes the calling function
 * fail.
 */
struct amd_dbgapi_callbacks_s {
	/**
	 * Give memory of @byte_size bytes, aligned for any type, that the client will release later
	 * by its own means. NULL if there is none; for 0 bytes NULL is no error. malloc will do.
	 */
	void *(*allocate_memory)(size_t byte_size);

	/**
	 * Take back memory that allocate_memory gave and that will not reach the client: after an
	 * error, or when it was only lent to the library. NULL is ignored. free will do.
	 */
	void (*deallocate_memory)(void *data);

	/**
	 * Tell the library about a process.
	 *
	 * @client_process_id: the process.
	 * @query: what is asked.
	 * @value_size: bytes at @value: the size of what is asked.
	 * @value: where the answer goes.
	 *
	 * Return: SUCCESS; ERROR_INVALID_CLIENT_PROCESS_ID; ERROR_PROCESS_EXITED;
	 * ERROR_INVALID_ARGUMENT if @value is NULL or the query unknown;
	 * ERROR_INVALID_ARGUMENT_COMPATIBILITY for a wrong size; ERROR_NOT_AVAILABLE if there is no
	 * such thing for the process; ERROR for anything else.
	 */
	amd_dbgapi_status_t (*client_process_get_info)(
		amd_dbgapi_client_process_id_t client_process_id,
		amd_dbgapi_client_process_info_t query, size_t value_size, void *value);

	/**
	 * Insert a breakpoint into host code.
	 *
	 * @client_process_id: the process.
	 * @address: where, within a loaded shared library or executable.
	 * @breakpoint_id: what to report hits by. Unique among the breakpoints of the process.
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
	 * @breakpoint_id: the breakpoint. Hits are not reported any more.
	 *
	 * Return: SUCCESS, also if its library was unloaded and it is gone with it;
	 * ERROR_INVALID_CLIENT_PROCESS_ID; ERROR_INVALID_BREAKPOINT_ID; ERROR for anything else. In
	 * every case it counts as removed.
	 */
	amd_dbgapi_status_t (*remove_breakpoint)(amd_dbgapi_client_process_id_t client_process_id,
						 amd_dbgapi_breakpoint_id_t breakpoint_id);

	/**
	 * Read or write global memory of a process, without any cache of the client's between. A
	 * library that can reach the memory by itself need not use it.
	 *
	 * @client_process_id: the process.
	 * @global_address: the first byte.
	 * @value_size: in: how many bytes. Out: how many were transferred, which may be fewer.
	 * @read_buffer: where to read to, or NULL.
	 * @write_buffer: what to write, or NULL. Exactly one of the two is given.
	 *
	 * Return: SUCCESS; ERROR_INVALID_CLIENT_PROCESS_ID; ERROR_PROCESS_EXITED;
	 * ERROR_INVALID_ARGUMENT_COMPATIBILITY if not exactly one buffer is given;
	 * ERROR_MEMORY_ACCESS if more than 0 bytes were asked for and none was transferred, with
	 * *@value_size set to 0.
	 */
	amd_dbgapi_status_t (*xfer_global_memory)(amd_dbgapi_client_process_id_t client_process_id,
						  amd_dbgapi_global_address_t global_address,
						  amd_dbgapi_size_t *value_size, void *read_buffer,
						  const void *write_buffer);

	/**
	 * Take a message.
	 *
	 * @level: its level, not above the one that amd_dbgapi_set_log_level has set.
	 * @message: its text, valid during the call.
	 */
	void (*log_message)(amd_dbgapi_log_level_t level, const char *message);
};

#if defined(__cplusplus)
}
#endif

#endif /* AMD_DBGAPI_H */
