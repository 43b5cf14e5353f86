// SPDX-License-Identifier: MIT
// HIP programs that do not come to an end, one for each name on the command line. check-hangs.py finds the lines by the marks in
// comments.
#include <hip/hip_runtime.h>
#include <hip/hip_cooperative_groups.h>

#include <cstdio>
#include <cstring>

static void end(hipError_t error)
{
	if (error != hipSuccess)
		fprintf(stderr, "%s\n", hipGetErrorString(error));
}

// The waves of a workgroup look together whether it is their turn, which it never is.
__global__ void together(const volatile int *turn, int mine, int *out)
{
	__shared__ int is;
	do {
		if (threadIdx.x == 0)
			is = turn[3]; // together: looks
		__syncthreads();
		out[threadIdx.x] = 5;
		__syncthreads();
	} while (is != mine);
}

// Rounds of a whole workgroup that go on for as long as one of them changes a distance, which is no number.
__global__ void relaxed(float *distances, const int *ends, int count)
{
	__shared__ int changed;
	do {
		__syncthreads();
		if (threadIdx.x == 0)
			changed = 0;
		__syncthreads();
		if ((int)threadIdx.x < count) {
			float next = distances[threadIdx.x] + 1; // relaxed: looks
			int to = ends[threadIdx.x]; // relaxed: leads
			if (!(distances[to] <= next)) { // relaxed: compares
				distances[to] = next;
				changed = 1;
			}
		}
		__syncthreads();
	} while (changed);
}

// One wave of the workgroup never comes to the barrier, in a loop that counts its rounds.
__global__ void strayed(const volatile int *turn, unsigned *out)
{
	__shared__ int is;
	unsigned rounds = 0;
	do {
		if (threadIdx.x >= 64)
			while (turn[5] == 0) // strayed: looks
				;
		if (threadIdx.x == 0)
			is = turn[3];
		__syncthreads(); // strayed: meets
		rounds++;
		__syncthreads();
	} while (is != 4);
	out[threadIdx.x] = rounds;
}

// The roots of a forest that has a ring in it.
__global__ void ringed(const int *up, int at, int *out)
{
	while (up[at] != at) at = up[at]; // ringed: looks
	out[threadIdx.x] = at;
}

__device__ int latches[12];

// The latch has been taken by someone who is gone.
__global__ void latched(int at, int *out)
{
	while (atomicCAS(&latches[at], 0, 1) != 0) // latched: looks
		;
	out[threadIdx.x] = at;
}

// Each workgroup has what the next one asks for.
__global__ void forks(int *taken, volatile int *sitting, int count)
{
	if (threadIdx.x == 0) {
		int left = blockIdx.x, right = (blockIdx.x + 1) % count;
		atomicExch(&taken[left], 1);
		atomicAdd((int *)sitting, 1);
		while (*sitting < count)
			;
		while (atomicCAS(&taken[right], 0, 1) != 0) // forks: looks
			__builtin_amdgcn_s_sleep(100);
		atomicExch(&taken[left], 0);
	}
}

// The third turn is never given.
__global__ void turns(volatile long *tickets, double *sums, int turn)
{
	if (threadIdx.x == 0)
		while (tickets[turn] < turn) // turns: looks
			;
	__syncthreads(); // turns: meets
	sums[threadIdx.x] += turn;
}

// A wave waits in local memory for one that has gone another way, and sleeps between two looks.
__global__ void crossed(const int *ways, int *out)
{
	__shared__ volatile int opened;
	if (threadIdx.x == 0)
		opened = -5;
	__syncthreads();
	if (ways[threadIdx.x / 64])
		while (opened < 0) // crossed: looks
			__builtin_amdgcn_s_sleep(3); // crossed: sleeps
	__syncthreads(); // crossed: meets
	out[threadIdx.x] = opened;
}

// Four lanes have entered what the others of their wave wait to enter.
__global__ void gates(unsigned *closed, unsigned *counts, int doors)
{
	int door = threadIdx.x % doors;
	while (atomicCAS(closed + 2 + door, 0u, 9u) != 0u) // gates: looks
		;
	counts[door] += threadIdx.x;
	__threadfence();
	atomicExch(closed + 2 + door, 0u);
}

// Nobody sets the flag to the limit. All lanes look.
__global__ void approach_signed(const volatile int *flags, int limit, int *out)
{
	while (flags[2] < limit) // approach_signed: looks
		;
	out[threadIdx.x] = 1;
}

__global__ void approach_unsigned(const volatile unsigned *flags, unsigned limit, int *out)
{
	while (limit > flags[2]) // approach_unsigned: looks
		;
	out[threadIdx.x] = 1;
}

// Nobody sets the bit, and nobody counts in the second byte. All lanes look.
__global__ void masked(const volatile unsigned *flags, int *out)
{
	while (!(flags[2] & 4)) // masked: looks
		;
	out[threadIdx.x] = 1;
}

__global__ void counted(const volatile unsigned *flags, int *out)
{
	while ((flags[2] >> 8 & 0xff) != 3) // counted: looks
		;
	out[threadIdx.x] = 1;
}

__global__ void warmed(const volatile float *flags, int *out)
{
	while (flags[2] < 7.5f) // warmed: looks
		;
	out[threadIdx.x] = 1;
}

__global__ void matched(const volatile float *flags, float wanted, int *out)
{
	while (flags[2] != wanted) // matched: looks
		;
	out[threadIdx.x] = 1;
}

__global__ void loaded(unsigned *flags, int *out)
{
	while (!(__hip_atomic_load(&flags[2], __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_AGENT) & 4)) // loaded: looks
		;
	out[threadIdx.x] = 1;
}

// Locks that somebody else has: taken by compare-and-swap and by exchange, and one that is looked for with another value than is put there.
__global__ void swapped(unsigned *locks, int *out)
{
	if (threadIdx.x == 0) {
		while (atomicCAS(&locks[2], 0u, 1u) != 0u) // swapped: looks
			;
		out[0]++;
		__threadfence();
		atomicExch(&locks[2], 0u);
	}
	__syncthreads();
	out[threadIdx.x] = 1;
}

__global__ void exchanged(unsigned *locks, int *out)
{
	if (threadIdx.x == 0)
		while (atomicExch(&locks[2], 1u) != 0u) // exchanged: looks
			;
	__syncthreads();
	out[threadIdx.x] = 1;
}

__global__ void mistaken(unsigned *locks, int *out)
{
	if (threadIdx.x == 0)
		while (atomicCAS(&locks[2], 0u, 1u) != 5u) // mistaken: looks
			;
	__syncthreads();
	out[threadIdx.x] = 1;
}

// A lock that is never left.
__global__ void locked(const volatile int *locks, int *out)
{
	while (locks[2] != 0) // locked: looks
		;
	out[threadIdx.x] = 1;
}

// Not one comparison alone decides, though one looks as if it did.
__global__ void between(const volatile int *flags, int *out)
{
	for (;;) {
		int flag = flags[2]; // between: looks
		if (flag >= 7 && flag < 9)
			break;
	}
	out[threadIdx.x] = 1;
}

// Numbers in structures: a lock that hands out numbers, and one of its holders has not come; and blocks that tell how far they are.
struct numbered {
	unsigned next, serving;
};

__global__ void served(numbered *lock, int *out)
{
	if (threadIdx.x == 0) {
		unsigned mine = atomicAdd(&lock->next, 1u);
		while (__hip_atomic_load(&lock->serving, __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_AGENT) != mine) // served: looks
			;
		out[0]++;
	}
}

struct block {
	double sum;
	struct {
		short kind, state;
	} done;
};

__global__ void published(const volatile block *blocks, int from, double *out)
{
	double sum = 0;
	for (int i = from; i >= 0; i--) {
		while (!blocks[i].done.state) // published: looks
			;
		sum += blocks[i].sum;
	}
	out[threadIdx.x] = sum;
}

// A lock of the program's own, which the lane that has it wants once more.
__device__ int table_lock[3];

__global__ void entered_twice(int *out)
{
	for (int i = 0; i < 2; i++)
		while (atomicCAS(&table_lock[2], 0, 1) != 0) // entered_twice: looks
			;
	out[0]++;
}

// A float that is no number is never the same as what was read.
__global__ void largest(float *most, const float *values)
{
	float value = values[threadIdx.x], old = *most, seen;
	do {
		seen = old;
		old = __int_as_float(atomicCAS((int *)most, __float_as_int(seen), __float_as_int(value > seen ? value : seen))); // largest: looks
	} while (seen != old);
}

// No value ends it.
__global__ void never(const volatile int *flags, int *out)
{
	for (;;)
		if (flags[2] >= 7) // never: looks
			out[threadIdx.x] = 1;
}

// A table that is full: each lane goes round it for ever. Nothing is as it was before each place of it was looked at.
__global__ void probes(unsigned long long *table, unsigned mask, unsigned long long key, int *out)
{
	unsigned slot = threadIdx.x & mask;
	for (;;) {
		unsigned long long old = atomicCAS(&table[slot], 0ull, key); // probes: looks
		if (old == 0 || old == key)
			break;
		slot = (slot + 1) & mask;
	}
	out[threadIdx.x] = slot;
}

// Flags of fewer bits than a register has.
__global__ void bytes(const volatile unsigned char *flags, int *out)
{
	while (flags[5] != 200) // bytes: looks
		;
	out[threadIdx.x] = 1;
}

__global__ void signs(const volatile signed char *flags, signed char limit, int *out)
{
	while (flags[5] > limit) // signs: looks
		;
	out[threadIdx.x] = 1;
}

__global__ void halves(const volatile short *flags, int *out)
{
	while (flags[5] < 300) // halves: looks
		;
	out[threadIdx.x] = 1;
}

__global__ void truths(const volatile bool *flags, int *out)
{
	while (!flags[5]) // truths: looks
		;
	out[threadIdx.x] = 1;
}

// What is counted, and what is added up in memory, ends nothing: the flag does.
__global__ void counted_rounds(const volatile int *flags, int *rounds, int *out)
{
	int sum = 0;
	while (flags[2] != 4) { // counted_rounds: looks
		sum += 3;
		rounds[blockIdx.x]++;
	}
	out[threadIdx.x] = sum;
}

// But where a count ends the loop too, it is not the flag alone.
__global__ void patient(const volatile int *flags, unsigned patience, int *out)
{
	unsigned tried = 0;
	while (flags[2] != 4 && tried < patience) // patient: looks
		tried++;
	out[threadIdx.x] = tried;
}

// A number without a sign is never below 0.
__global__ void underflows(float *sums, unsigned count)
{
	for (unsigned i = count - 1; i >= 0; i--) // underflows: rounds
		sums[i & 1023] += 1.0f;
}

// The compiler finds that the loop never ends, and leaves no code of the kernel: its waves execute the next one, which looks at `ages`, in whose place it has `flags`.
__global__ void emptied(const int *ages, float *sums)
{
	float sum = 0;
	for (unsigned i = threadIdx.x; i >= 0; i--) // emptied: rounds
		sum += ages[i & 63] * 0.5f;
	sums[threadIdx.x] = sum;
}

__global__ void executed(const volatile int *flags, int *out)
{
	while (flags[2] != 4) // executed: looks
		;
	out[threadIdx.x] = 1;
}

// The flag is read once more behind the loop, and computed with.
__global__ void reread(const volatile int *flags, int *out)
{
	while (flags[2] < 4) // reread: looks
		;
	out[threadIdx.x] = flags[2] * 3;
}

// A flag of 4 ends the inner loop and not the outer one, which looks at what was stored of the flag.
__global__ void replied(const volatile int *flags, volatile int *out)
{
	do {
		while (flags[2] < 4) // replied: looks
			;
		out[threadIdx.x] = flags[2];
	} while (out[threadIdx.x] < 9);
}

__global__ void relooked(const volatile int *flags, int *out)
{
	do
		while (flags[2] < 4) // relooked: looks
			;
	while (flags[2] < 9);
	out[threadIdx.x] = 1;
}

// Two waves go through turns by flags in local memory, each of which waits for the number of its turn. The third turn is never given back.
__global__ void phased(const float *in, float *out, int turns)
{
	__shared__ volatile int given[2];
	__shared__ float held[64];
	int lane = threadIdx.x % 64;

	if (threadIdx.x < 2)
		given[threadIdx.x] = 0;
	__syncthreads();
	for (int turn = 0; turn < turns; turn++) {
		if (threadIdx.x < 64) {
			while (given[1] != turn) // phased: gives
				;
			held[lane] = in[lane] * turn;
			__threadfence_block();
			if (lane == 0)
				given[0] = turn + 1;
		} else {
			while (given[0] != turn + 1) // phased: takes
				;
			out[lane] += held[lane];
			__threadfence_block();
			if (lane == 0 && turn != 2)
				given[1] = turn + 1;
		}
	}
}

// The same by one flag in global memory.
__global__ void stepped(const volatile int *flags, int turns, int *out)
{
	for (int turn = 0; turn < turns; turn++) {
		while (flags[2] != turn) // stepped: looks
			;
		out[threadIdx.x] += turn;
	}
}

// The flag ends the inner loop, and the outer one comes back to wait for the same of it.
__global__ void reasked(const volatile int *flags, int *out)
{
	do
		while (flags[2] != 4) // reasked: looks
			;
	while (out[threadIdx.x] != 9);
}

// A lock in local memory that nobody has given back, next to what it guards.
__global__ void shut(const int *in, int *out)
{
	__shared__ unsigned lock;
	__shared__ int sums[64];

	sums[threadIdx.x] = in[threadIdx.x];
	if (threadIdx.x == 0)
		lock = 1;
	__syncthreads();
	if (threadIdx.x == 0) {
		while (atomicCAS(&lock, 0u, 1u) != 0u) // shut: looks
			;
		sums[0] += sums[1];
		atomicExch(&lock, 0u);
	}
	__syncthreads();
	out[threadIdx.x] = sums[threadIdx.x];
}

// Each round has a place of its own to note what it is.
__global__ void noted(const volatile int *flags, unsigned *notes, int *out)
{
	unsigned i = 0;
	while (flags[2] != 4) {
		notes[i & 1023] = i; // noted: notes
		i++;
	}
	out[threadIdx.x] = i;
}

// A list that leads back into itself.
__global__ void circle(const int *next, int at, int *out)
{
	int length = 0;
	while (at >= 0) {
		at = next[at]; // circle: looks
		length++;
	}
	out[threadIdx.x] = length;
}

// The same by pointers. A sum of what the list has changes in each round, and ends nothing.
struct link {
	int weight;
	const link *next;
};

__global__ void linked(const link *first, int *out)
{
	int sum = 0;
	for (const link *at = first; at; at = at->next) // linked: looks
		sum += at->weight;
	out[threadIdx.x] = sum;
}

// A flag that is passed on in each round: the one that is looked at has what the other one has.
__global__ void relayed(const volatile int *from, volatile int *to)
{
	do
		to[1] = from[2]; // relayed: passes
	while (to[1] != 5); // relayed: looks
}

// A lock that was never given back, taken by a function of the program's own around one of a header.
static __device__ void take(int *lock)
{
	while (atomicCAS(lock, 0, 1) != 0) // kept: looks
		__builtin_amdgcn_s_sleep(1); // kept: sleeps
}

__global__ void kept(int *lock, int *out)
{
	if (threadIdx.x == 0) {
		take(lock + 2); // kept: takes
		*out = 1;
	}
}

// The step is 0. Code that is not optimised asks the launch for its sizes in each round.
__global__ void stands(int *out, int limit, int step)
{
	for (int i = 0; i < limit; i += step) // stands: rounds
		out[blockIdx.x * blockDim.x + threadIdx.x] = i;
}

// Sums of floats miss the end: the place changes in each round, for long.
__global__ void marches(int *out, float end, float step)
{
	int count = 0;
	for (float place = 0; place != end; place += step) // marches: rounds
		count++;
	out[threadIdx.x] = count;
}

// The first lane of a wave has taken the lock, and the others of it wait for that.
__global__ void divided(int *lock, int *out)
{
	while (atomicCAS(lock + 2, 0, 1) != 0) // divided: looks
		;
	out[0] += 1;
	__threadfence();
	atomicExch(lock + 2, 0);
}

// A list that is empty: both ends of it are looked at.
struct list {
	volatile int begin, end;
};

__global__ void awaited(list *lists, int *out)
{
	while (lists[1].begin == lists[1].end) // awaited: looks
		;
	out[threadIdx.x] = 1;
}

// The flag is where a pointer in a structure leads that the argument points to; the one before it leads to a page of its own.
struct port {
	long sent;
	const volatile unsigned *taken;
};

struct ports {
	int count;
	port list[3];
};

__global__ void posted(const ports *all, unsigned credit, int *out)
{
	const port *mine = &all->list[2];
	if (threadIdx.x == 0)
		while (*mine->taken < credit) // posted: looks
			;
	__syncthreads();
	out[threadIdx.x] = mine->sent;
}

// Each lane waits for a flag of its own to come to what all wait for; and to a number of its own.
__global__ void gathered(const volatile int *flags, int round, int *out)
{
	while (flags[threadIdx.x + 2] < round) // gathered: looks
		;
	out[threadIdx.x] = 1;
}

__global__ void scattered(const volatile int *flags, int *out)
{
	while (flags[threadIdx.x + 2] <= (int)threadIdx.x) // scattered: looks
		;
	out[threadIdx.x] = 1;
}

// The value that ends the loop is computed with and stored, before the launch is asked for its sizes.
__global__ void chained(const int *links, volatile float *weights, int count, float *out)
{
	int i = threadIdx.x;
	while (i < count) {
		float weight = weights[links[i]]; // chained: looks
		if (weight >= 0.0f) {
			weights[i] = weight + 1;
			out[i] = weight * 0.5f;
			i += blockDim.x;
		}
	}
}

// The first workgroup ends, and the others wait for it.
__global__ void apart(int *out)
{
	if (blockIdx.x)
		cooperative_groups::this_grid().sync(); // apart: meets
	out[blockIdx.x] = 1;
}

// Each workgroup takes most of the local memory of a compute unit, and waits for all: those that find no room do not begin.
__global__ void crowded(volatile int *arrived, float *sums)
{
	extern __shared__ float tile[];
	tile[threadIdx.x] = sums[threadIdx.x];
	__syncthreads();
	if (threadIdx.x == 0) {
		atomicAdd((int *)arrived + 1, 1);
		while (arrived[1] < (int)gridDim.x) // crowded: looks
			;
	}
	__syncthreads(); // crowded: meets
	sums[blockIdx.x] = tile[threadIdx.x ^ 1];
}

// It ends, but only after more than the agent is patient: what it counts changes in each round.
__global__ void counts(volatile int *places, int rounds)
{
	for (int i = 0; i != rounds; i += 2) // counts: rounds
		places[1] = i;
}

// A step that misses the end, to which some of the lanes come, and the same of a wide number.
__global__ void misses(float *places, int end, int step)
{
	for (int i = threadIdx.x; i != end; i += 4) // misses: rounds
		places[i & 1023] *= 2.0f;
}

__global__ void misses_wide(float *places, long end)
{
	for (long i = 1; i != end; i += 6) // misses_wide: rounds
		places[i & 1023] *= 2.0f;
}

// Each lane has an end of its own.
__global__ void misses_own(float *places)
{
	unsigned own = 2 * threadIdx.x;

	for (unsigned i = 3; i != own; i += 8) // misses_own: rounds
		places[i & 1023] *= 2.0f;
}

// The step is odd: after it has gone round it comes to the end.
__global__ void wraps(volatile float *places, unsigned end)
{
	for (unsigned i = 1; i != end; i += 3) // wraps: rounds
		places[i & 1023] = 2.0f;
}

int main(int argc, char **argv)
{
	const char *name = argc > 1 ? argv[1] : "";
	char *memory;

	end(hipMalloc(&memory, 1 << 16));
	end(hipMemset(memory, 0, 1 << 16));
	if (!strcmp(name, "turns")) {
		long *tickets;

		end(hipHostMalloc(&tickets, 4096, 0));
		tickets[3] = -12;
		turns<<<1, 100>>>(tickets, (double *)memory, 3);
	} else if (!strcmp(name, "crossed")) {
		const int ways[2] = {0, 1};

		end(hipMemcpy(memory, ways, sizeof(ways), hipMemcpyHostToDevice));
		crossed<<<1, 128>>>((int *)memory, (int *)(memory + 4096));
	} else if (!strcmp(name, "gates")) {
		gates<<<1, 20>>>((unsigned *)memory, (unsigned *)(memory + 4096), 4);
	} else if (!strcmp(name, "approach_signed")) {
		end(hipMemset(memory + 8, 0xff, 4));
		approach_signed<<<1, 64>>>((int *)memory, 7, (int *)(memory + 4096));
	} else if (!strcmp(name, "approach_unsigned")) {
		end(hipMemset(memory + 8, 0x80, 4));
		approach_unsigned<<<1, 64>>>((unsigned *)memory, 0xfffffff0u,
					     (int *)(memory + 4096));
	} else if (!strcmp(name, "masked")) {
		end(hipMemset(memory + 8, 2, 4));
		masked<<<1, 64>>>((unsigned *)memory, (int *)(memory + 4096));
	} else if (!strcmp(name, "counted")) {
		end(hipMemset(memory + 8, 2, 4));
		counted<<<1, 64>>>((unsigned *)memory, (int *)(memory + 4096));
	} else if (!strcmp(name, "warmed")) {
		end(hipMemset(memory + 8, 0x40, 4));
		warmed<<<1, 64>>>((float *)memory, (int *)(memory + 4096));
	} else if (!strcmp(name, "matched")) {
		end(hipMemset(memory + 8, 0x40, 4));
		matched<<<1, 64>>>((float *)memory, -2.25f, (int *)(memory + 4096));
	} else if (!strcmp(name, "loaded")) {
		end(hipMemset(memory + 8, 2, 4));
		loaded<<<1, 64>>>((unsigned *)memory, (int *)(memory + 4096));
	} else if (!strcmp(name, "swapped")) {
		end(hipMemset(memory + 8, 1, 4));
		swapped<<<1, 64>>>((unsigned *)memory, (int *)(memory + 4096));
	} else if (!strcmp(name, "exchanged")) {
		end(hipMemset(memory + 8, 1, 4));
		exchanged<<<1, 64>>>((unsigned *)memory, (int *)(memory + 4096));
	} else if (!strcmp(name, "mistaken")) {
		end(hipMemset(memory + 8, 1, 4));
		mistaken<<<1, 64>>>((unsigned *)memory, (int *)(memory + 4096));
	} else if (!strcmp(name, "locked")) {
		end(hipMemset(memory + 8, 1, 4));
		locked<<<1, 64>>>((int *)memory, (int *)(memory + 4096));
	} else if (!strcmp(name, "between")) {
		between<<<1, 64>>>((int *)memory, (int *)(memory + 4096));
	} else if (!strcmp(name, "served")) {
		const numbered lock = {4, 3};

		end(hipMemcpy(memory, &lock, sizeof(lock), hipMemcpyHostToDevice));
		served<<<1, 64>>>((numbered *)memory, (int *)(memory + 4096));
	} else if (!strcmp(name, "published")) {
		end(hipMemset(memory + 4 * sizeof(block), 1, 2 * sizeof(block)));
		published<<<1, 64>>>((block *)memory, 5, (double *)(memory + 4096));
	} else if (!strcmp(name, "entered_twice")) {
		entered_twice<<<1, 1>>>((int *)memory);
	} else if (!strcmp(name, "largest")) {
		end(hipMemset(memory, 0xff, 4));
		largest<<<1, 1>>>((float *)memory, (float *)(memory + 4096));
	} else if (!strcmp(name, "never")) {
		never<<<1, 64>>>((int *)memory, (int *)(memory + 4096));
	} else if (!strcmp(name, "bytes")) {
		end(hipMemset(memory, 190, 64));
		bytes<<<1, 64>>>((unsigned char *)memory, (int *)(memory + 4096));
	} else if (!strcmp(name, "signs")) {
		end(hipMemset(memory, 0xfe, 64));
		signs<<<1, 64>>>((signed char *)memory, -100, (int *)(memory + 4096));
	} else if (!strcmp(name, "halves")) {
		end(hipMemset(memory, 0xfe, 64));
		halves<<<1, 64>>>((short *)memory, (int *)(memory + 4096));
	} else if (!strcmp(name, "truths")) {
		truths<<<1, 64>>>((bool *)memory, (int *)(memory + 4096));
	} else if (!strcmp(name, "counted_rounds")) {
		counted_rounds<<<1, 64>>>((int *)memory, (int *)(memory + 8192),
					  (int *)(memory + 4096));
	} else if (!strcmp(name, "patient")) {
		patient<<<1, 64>>>((int *)memory, 0xfffffff0u, (int *)(memory + 4096));
	} else if (!strcmp(name, "underflows")) {
		underflows<<<1, 64>>>((float *)memory, 10);
	} else if (!strcmp(name, "emptied")) {
		emptied<<<1, 64>>>((int *)memory, (float *)(memory + 4096));
	} else if (!strcmp(name, "executed")) {
		executed<<<1, 64>>>((int *)memory, (int *)(memory + 4096));
	} else if (!strcmp(name, "reread")) {
		reread<<<1, 64>>>((int *)memory, (int *)(memory + 4096));
	} else if (!strcmp(name, "replied")) {
		replied<<<1, 64>>>((int *)memory, (int *)(memory + 4096));
	} else if (!strcmp(name, "relooked")) {
		relooked<<<1, 64>>>((int *)memory, (int *)(memory + 4096));
	} else if (!strcmp(name, "phased")) {
		phased<<<1, 128>>>((float *)memory, (float *)(memory + 4096), 8);
	} else if (!strcmp(name, "stepped")) {
		stepped<<<1, 64>>>((int *)memory, 9, (int *)(memory + 4096));
	} else if (!strcmp(name, "reasked")) {
		reasked<<<1, 64>>>((int *)memory, (int *)(memory + 4096));
	} else if (!strcmp(name, "shut")) {
		shut<<<1, 64>>>((int *)memory, (int *)(memory + 4096));
	} else if (!strcmp(name, "noted")) {
		noted<<<1, 64>>>((int *)memory, (unsigned *)(memory + 8192), (int *)(memory + 4096));
	} else if (!strcmp(name, "circle")) {
		const int next[5] = {3, 4, -1, 1, 3};

		end(hipMemcpy(memory, next, sizeof(next), hipMemcpyHostToDevice));
		circle<<<1, 64>>>((int *)memory, 0, (int *)(memory + 4096));
	} else if (!strcmp(name, "kept")) {
		end(hipMemset(memory + 8, 1, 1));
		kept<<<1, 64>>>((int *)memory, (int *)(memory + 4096));
	} else if (!strcmp(name, "relayed")) {
		relayed<<<1, 1>>>((int *)memory, (int *)(memory + 4096));
	} else if (!strcmp(name, "linked")) {
		link *links = (link *)memory;
		const link list[4] = {{5, links + 1}, {6, links + 2}, {7, links + 3}, {8, links + 1}};

		end(hipMemcpy(memory, list, sizeof(list), hipMemcpyHostToDevice));
		linked<<<1, 1>>>(links, (int *)(memory + 4096));
	} else if (!strcmp(name, "marches")) {
		marches<<<1, 64>>>((int *)memory, 1, 0.1f);
	} else if (!strcmp(name, "stands")) {
		stands<<<1, 64>>>((int *)memory, 10, 0);
	} else if (!strcmp(name, "divided")) {
		divided<<<1, 64>>>((int *)memory, (int *)(memory + 4096));
	} else if (!strcmp(name, "awaited")) {
		end(hipMemset(memory + 8, 5, 8));
		awaited<<<1, 64>>>((list *)memory, (int *)(memory + 4096));
	} else if (!strcmp(name, "together")) {
		together<<<1, 192>>>((int *)memory, 7, (int *)(memory + 4096));
	} else if (!strcmp(name, "relaxed")) {
		end(hipMemset(memory + 8, 0xff, 4));
		relaxed<<<1, 128>>>((float *)memory, (int *)(memory + 4096), 3);
	} else if (!strcmp(name, "strayed")) {
		strayed<<<1, 128>>>((int *)memory, (unsigned *)(memory + 4096));
	} else if (!strcmp(name, "forks")) {
		forks<<<3, 64>>>((int *)memory, (int *)(memory + 4096), 3);
	} else if (!strcmp(name, "ringed")) {
		const int up[5] = {1, 4, 2, 1, 3};

		end(hipMemcpy(memory, up, sizeof(up), hipMemcpyHostToDevice));
		ringed<<<1, 1>>>((int *)memory, 0, (int *)(memory + 4096));
	} else if (!strcmp(name, "latched")) {
		const int taken[12] = {0, 0, 0, 0, 0, 0, 0, 1};

		end(hipMemcpyToSymbol(HIP_SYMBOL(latches), taken, sizeof(taken)));
		latched<<<1, 1>>>(7, (int *)(memory + 4096));
	} else if (!strcmp(name, "posted")) {
		const ports all = {3, {{0, (unsigned *)(memory + 8192)}, {1, nullptr}, {2, (unsigned *)(memory + 12288 + 64)}}};

		end(hipMemset(memory + 12288 + 64, 2, 4));
		end(hipMemcpy(memory, &all, sizeof(all), hipMemcpyHostToDevice));
		posted<<<1, 64>>>((ports *)memory, 0x3000000, (int *)(memory + 4096));
	} else if (!strcmp(name, "gathered")) {
		gathered<<<1, 20>>>((int *)memory, 3, (int *)(memory + 4096));
	} else if (!strcmp(name, "scattered")) {
		scattered<<<1, 20>>>((int *)memory, (int *)(memory + 4096));
	} else if (!strcmp(name, "chained")) {
		const int links[4] = {4, 5, 6, 7};
		const float weights[8] = {-1, -1, -1, -1, 2, 3, -4, 5};

		end(hipMemcpy(memory, links, sizeof(links), hipMemcpyHostToDevice));
		end(hipMemcpy(memory + 8192, weights, sizeof(weights), hipMemcpyHostToDevice));
		chained<<<1, 4>>>((int *)memory, (float *)(memory + 8192), 4, (float *)(memory + 4096));
	} else if (!strcmp(name, "apart")) {
		void *arguments[] = {&memory};

		end(hipLaunchCooperativeKernel((void *)apart, dim3(3), dim3(64), arguments, 0, 0));
	} else if (!strcmp(name, "crowded")) {
		crowded<<<dim3(60), 128, 60000>>>((int *)memory, (float *)(memory + 4096));
	} else if (!strcmp(name, "probes")) {
		end(hipMemset(memory, 7, 64 * 8));
		probes<<<1, 64>>>((unsigned long long *)memory, 63, 3, (int *)(memory + 4096));
	} else if (!strcmp(name, "counts")) {
		counts<<<1, 64>>>((int *)memory, -2);
	} else if (!strcmp(name, "misses")) {
		misses<<<1, 64>>>((float *)memory, 1022, 4);
	} else if (!strcmp(name, "misses_wide")) {
		misses_wide<<<1, 64>>>((float *)memory, (5L << 32) + 10);
	} else if (!strcmp(name, "misses_own")) {
		misses_own<<<1, 64>>>((float *)memory);
	} else if (!strcmp(name, "wraps")) {
		wraps<<<1, 64>>>((float *)memory, 0);
	}
	end(hipDeviceSynchronize());
	return 0;
}
