// SPDX-License-Identifier: MIT
// Mistakes of HIP programs, one for each name on the command line. check-causes.py finds the lines by the marks in comments.
#include <hip/hip_runtime.h>

#include <cassert>
#include <climits>
#include <cstdio>
#include <cstring>

#define WORK_ITEM (blockIdx.x * blockDim.x + threadIdx.x)

static void end(hipError_t error)
{
	if (error != hipSuccess)
		fprintf(stderr, "%s\n", hipGetErrorString(error));
}

// Another workgroup puts another index into the place of the one that was read, before that is used.
__global__ void overtaken(volatile int *places, volatile int *turn, float *to)
{
	if (blockIdx.x == 0) {
		int place = places[3];

		turn[0] = 1;
		while (!turn[1])
			;
		to[place] = 1; // overtaken
	} else {
		while (!turn[0])
			;
		places[3] = 5;
		__threadfence();
		turn[1] = 1;
	}
}

// A null pointer behind a guard that is made from the block size.
// Its wave is stopped lines behind the store that fails.
__global__ void prolonged(float *to, const float *from, int rounds)
{
	float sum = 0, last = 0;

#pragma unroll 1
	for (int i = 0; i < rounds; i++)
		sum = sum * 0.5f + from[i & 63];
	to[(size_t)threadIdx.x << 32] = sum; // prolonged
	for (int i = 0; i < 64; i++)
		last += from[i] * sum;
	to[threadIdx.x] = last;
}

__global__ void guarded(double *sums, int rows)
{
	int row = WORK_ITEM;
	if (row < rows)
		sums[row + 2] = 1; // guarded
}

// A structure that is passed by value, with a pointer that nobody set.
struct span {
	float *first;
	unsigned count;
	double scale;
};

__global__ void scaled(span from, float bias, short shift)
{
	unsigned item = WORK_ITEM;
	if (item < from.count)
		from.first[item] = bias + shift; // scaled
}

// More work-items than elements, in a buffer of many pages that no argument counts.
__global__ void painted(unsigned *pixels, unsigned colour)
{
	pixels[WORK_ITEM] = colour; // painted
}

// An offset of 32 bits.
__global__ void offsets(double *rows, int width, int from)
{
	rows[(int)(from + blockIdx.x) * width + (int)threadIdx.x] = 1; // offsets
}

// An instruction that needs an aligned address stands in a header of HIP's.
__global__ void counted(char *records, int count)
{
	int item = WORK_ITEM;
	if (item < count)
		atomicAdd((unsigned long long *)(records + 16 * item + 4), 1ull); // counted
}

// Local memory that was not asked for at the launch.
__global__ void turned(int *line, int length)
{
	extern __shared__ int kept[];
	kept[threadIdx.x + 1] = line[threadIdx.x]; // turned
	__syncthreads();
	line[threadIdx.x] = kept[length - threadIdx.x];
}

// Pointers beside each other in a structure that is passed by value: at -O0 one store copies two of them.
struct channels {
	const float *from;
	float *to;
	float *kept;
	int count;
};

__global__ void mixed(channels all, float share)
{
	int item = WORK_ITEM;
	if (item < all.count)
		all.to[item] = all.from[item] * share; // mixed
}

// The same, but the structures are in a buffer.
__global__ void chosen(const channels *list, int number)
{
	const channels one = list[number];
	int item = WORK_ITEM;
	if (item < one.count)
		one.kept[item] = 3; // chosen
}

// A variable of the device that nobody has set. Its address is in no register any more where the wave stops.
__device__ float *weights;
__device__ int *counters[4];

__global__ void weighted(float *sums, int count)
{
	int item = WORK_ITEM;
	if (item < count)
		sums[item] = weights[item] * 2; // weighted
}

__global__ void tallied(int count)
{
	int item = WORK_ITEM;
	if (item < count)
		counters[2][item] = item; // tallied
}

// A stride that no argument has: which pages were recorded depends on where the wave has come to.
__global__ void strided(double *sums, long count)
{
	for (long item = WORK_ITEM; item <= count; item += (long)gridDim.x * blockDim.x)
		sums[item * 2] = 3; // strided
}

// An index that is far off, from memory.
__global__ void gathered(const float *from, const int *numbers, float *to, int count)
{
	int item = WORK_ITEM;
	if (item < count)
		to[item] = from[numbers[item]]; // gathered
}

// One of two pointers, of which the other is fine.
struct item {
	int value;
	const item *next;
};

__global__ void listed(const item *first, int *sum)
{
	int all = 0;

	for (const item *i = first; i; i = i->next)
		all += i->value; // listed
	*sum = all;
}

__global__ void either(const float *first, const float *second, float *to, int which)
{
	const float *from = which ? first : second;
	to[WORK_ITEM] = from[WORK_ITEM] + 1; // either
}

// Three dimensions: beside the third one of the block size the packet has bytes that nobody knows.
__global__ void voxels(float *all, int width, int height)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, z = blockIdx.z * blockDim.z + threadIdx.z;
	all[(z * height + y) * width + x] = x + y; // voxels
}

// Checks of the program's own, of which one says no: one of several in a kernel, one in a function that is inlined, and one that is the
// only one and that PyTorch's macro writes.
__device__ void check_sum(long sum, long most)
{
	assert(sum < most && "the sum is too large"); // sum asserted
}

__global__ void asserted(long *sums, int rows, long most)
{
	int row = WORK_ITEM;
	assert(rows > 0);
	assert(sums[row] == 0 || row < 3); // asserted
	check_sum(sums[row], most); // summed
	sums[row] = 1;
}

__global__ void counted_down(int *rows, int from)
{
	if (!(rows[threadIdx.x] < from))
		__assert_fail("rows[i] < from", __FILE__, static_cast<unsigned int>(__LINE__), __func__); // counted_down
	rows[threadIdx.x]--;
}

// A check in a member of a template, whose short name is a part of what the compiler writes in front of it.
template <typename item> struct row_of {
	item *items;
	int count;

	__device__ item &at(int i)
	{
		assert(i >= 0 && i < count);
		return items[i];
	}
};

__global__ void ranged(row_of<float> all, int step)
{
	all.at(threadIdx.x * step) = 1; // ranged
}

// Each work-item leaves its row in memory of the workgroup, which has several waves.
__global__ void spread(float *all, int first, int width)
{
	__shared__ volatile int rows[256];
	volatile int *row = rows + threadIdx.x;

	*row = first;
	while (*row < first + 3)
		*row = *row + 1;
	all[*row * width] = 1; // spread
}

// Another wave has changed it, which none but the barriers tell.
__global__ void handed(float *all, int row, int width)
{
	__shared__ int rows[256];

	rows[threadIdx.x] = 50000;
	__syncthreads();
	rows[(threadIdx.x + 64) % 256] = row;
	__syncthreads();
	all[(long)rows[threadIdx.x] * width] = 1; // handed
}

// The same check, called by a function object that a kernel of all such objects calls.
struct tripled {
	row_of<float> all;

	__device__ void operator()(int i)
	{
		all.at(i * 3) = 1; // tripled
	}
};

template <typename function> __global__ void each(function apply)
{
	apply(threadIdx.x);
}

// The code ends the program without a check.
__global__ void quits(const unsigned char *codes, int *to)
{
	switch (codes[threadIdx.x]) {
	case 0:
		to[threadIdx.x] = 1;
		break;
	case 1:
		to[threadIdx.x] = 20;
		break;
	default:
		abort(); // quits
	}
}

static __device__ void refuse_if(bool no)
{
	if (no)
		__builtin_trap();
}

__global__ void refuses(const int *codes, int *to)
{
	refuse_if(codes[threadIdx.x] < 0); // refuses
	to[threadIdx.x] = codes[threadIdx.x];
}

// A function of the program's own has the name of one of the library.
struct limits {
	int most;
	__device__ void abort(int code) const
	{
		if (code > most)
			__builtin_trap(); // limited
	}
};

__global__ void limited(limits all, int *to)
{
	all.abort(threadIdx.x);
	to[threadIdx.x] = 1;
}

// What is taken from the index leads out of the buffer, and not the number below zero beside it.
__global__ void lowered(int *to, int count, int offset)
{
	int item = WORK_ITEM;
	to[item - count * 100000 + offset] = 1; // lowered
}

// A condition that looks like the name of a file.
struct checked {
	float *values;
	bool ok;
};

__global__ void flagged(checked all)
{
	assert(all.ok); // flagged
	all.values[threadIdx.x] = 1;
}

// A function of the host, called by a pointer that was passed, and a pointer to data in a table of functions.
struct steps {
	int count;
	float (*next)(float);
};

static float add_one(float from)
{
	return from + 1;
}

__global__ void stepped(float *values, steps all)
{
	values[threadIdx.x] = all.next(values[threadIdx.x]); // stepped
}

__global__ void tabled(float *values, float (*const *table)(float), int which)
{
	values[threadIdx.x] = table[which](values[threadIdx.x]); // tabled
}

// Calls that never come back fill the stack.
__device__ __attribute__((noinline)) int descend(const int *ways, int depth, int from)
{
	int seen[8];
	for (int i = 0; i < 8; i++)
		seen[i] = ways[i] + depth;
	if (depth <= 0)
		return seen[from & 7];
	return descend(seen, depth - 1, from) + seen[depth & 7]; // descends
}

__global__ void descends(int *ways, int depth)
{
	ways[threadIdx.x] = descend(ways, depth, threadIdx.x);
}

// A product of 32 bits that did not fit, behind much unoptimised code.
__global__ void planes(unsigned char *to, const unsigned char *from, int width, int height, int depth)
{
	int z = blockIdx.z + 2000, y = blockIdx.y, x = blockIdx.x * blockDim.x + threadIdx.x;
	long at = (z * height + y) * width + x; // planes product
	to[x] = from[at]; // planes
}

// Private memory that nobody else is given the address of.
__device__ __attribute__((noinline)) int nest(const char *text, int at)
{
	char seen[96];
	for (int i = 0; i < 96; i++)
		seen[i] = text[(at + i) & 1023];
	if (text[at & 1023] != '(')
		return at;
	return nest(text, at + 1) + seen[at % 96]; // nests
}

__global__ void nests(const char *text, int *depths)
{
	depths[threadIdx.x] = nest(text, 0);
}

// Calls that never come back, as something that others have changed says: who executes it again cannot know that.
__device__ __attribute__((noinline)) int wander(int *visits, int from)
{
	int seen[16];
	for (int i = 0; i < 16; i++)
		seen[i] = from + i;
	if (atomicAdd(visits + (from & 63), 1) < 0)
		return from;
	return wander(visits, from + 1) + seen[from & 15]; // wanders
}

// The same, where the way of the whole wave hangs on that.
__device__ __attribute__((noinline)) int stray(int *visits, int from)
{
	int seen[16];
	for (int i = 0; i < 16; i++)
		seen[i] = from + i;
	if (__builtin_amdgcn_readfirstlane(atomicAdd(visits + (from & 63), 1)) < 0)
		return from;
	return stray(visits, from + 1) + seen[from & 15]; // strays
}

__global__ void strays(int *visits)
{
	visits[threadIdx.x] = stray(visits, threadIdx.x);
}

__global__ void wanders(int *visits)
{
	visits[threadIdx.x] = wander(visits, threadIdx.x);
}

// Newer compilers put a kernel into a section of its own and nothing behind the last one: its code ends with the trap.
__global__ __attribute__((section(".text.last"))) void trapped()
{
	asm volatile("s_trap 2"); // trapped
	__builtin_unreachable();
}

// Products of 64 bits: unoptimised code makes them of shifts by a word, beside registers that have something else in the other one.
__global__ void cached(const float *from, float *blocks, const int *places, int block, int width)
{
	int row = blockIdx.x;
	const long place = places[row / block], inside = row % block;
	for (int i = threadIdx.x; i < width; i += blockDim.x)
		blocks[place * block * width + inside * width + i] = from[row * width + i]; // cached
}

// An offset that is shifted: unoptimised code adds to it at once.
__global__ void tiled(float *tiles, int from, int bits)
{
	int tile = from + blockIdx.x;
	int at = (tile << bits) + threadIdx.x; // tiled product
	tiles[at] = 1; // tiled
}

// A step back by more than is recorded of where it begins.
__global__ void flipped(const double *from, double *to, long first, long step, int count)
{
	int item = WORK_ITEM;
	if (item < count)
		to[item] = from[first + item * step]; // flipped
}

// An index from the other end; lane 8 is the first beyond it.
__global__ void mirrored(const float *from, float *to, int count, int stride)
{
	int item = WORK_ITEM;
	to[item] = from[(count - 1 - item) * stride]; // mirrored
}

// A table of the device's functions with an entry that is empty. It is not in what is recorded.
__device__ float twice(float from)
{
	return from * 2;
}

__device__ float half(float from)
{
	return from / 2;
}

__device__ float (*operations[4096])(float) = {twice, half};

__global__ void applied(float *values, const int *which)
{
	values[threadIdx.x] = operations[which[blockIdx.x]](values[threadIdx.x]); // applied
}

// Each lane calls its own, and one calls none.
__global__ void dispatched(float *values, const int *which)
{
	int item = WORK_ITEM;
	values[item] = operations[which[item]](values[item]); // dispatched
}

// Rows of a sparse matrix, the last of which has an end behind the buffer.
__global__ void rowed(const int *rows, const int *columns, int *sums)
{
	int row = WORK_ITEM, sum = 0;
	for (int i = rows[row]; i < rows[row + 1]; i++)
		sum = sum * 31 + columns[i]; // rowed
	sums[row] = sum;
}

// One element more than there are.
__global__ void inclusive(double *sums, long count)
{
	for (long i = WORK_ITEM; i <= count; i += 64)
		sums[i] *= 2; // inclusive
}

// A search that ends behind the last one: its comparison ended it, and let nothing pass.
__global__ void searched(const double *values, long count, double *found)
{
	long i = count - 256 + WORK_ITEM;
	while (i < count && values[i] != 7)
		i += 64;
	found[WORK_ITEM] = values[i]; // searched
}

// A number below zero marks what is not there, which is no limit of the others.
__global__ void marked(const int *which, float *all)
{
	int i = which[WORK_ITEM];
	if (i != -1)
		all[i] = 1; // marked
}

// Two numbers that one instruction loads, and both are in the index.
__global__ void placed(const int *limits, float *all)
{
	int item = WORK_ITEM;
	if (item < limits[4])
		all[(long)limits[5] + item * limits[6]] = limits[7]; // placed
}

// A table of functions in a buffer, with a place that nobody has filled: each lane calls its own.
struct menu {
	long served;
	float (*dishes[4])(float);
};

__global__ void ordered(const menu *of, const int *which, float *values)
{
	int item = WORK_ITEM;
	values[item] = of->dishes[which[item]](values[item]); // ordered
}

__global__ void ordered_by_two(const menu *of, const int *which, float *values)
{
	int item = WORK_ITEM;
	values[item] = of->dishes[which[item] + which[item + 64]](values[item]); // ordered_by_two
}

// An address that was kept in 32 bits, and a number of them that is none.
struct handle {
	int address;
	int count;
};

__global__ void held(handle of, float value)
{
	float *values = (float *)(long)of.address;
	if ((int)threadIdx.x < of.count)
		values[threadIdx.x] = value; // held
}

// What is looked for is not there.
struct entry {
	int key;
	int value;
};

__device__ __attribute__((noinline)) entry *find(entry *all, int count, int key)
{
	for (int i = 0; i < count; i++)
		if (all[i].key == key)
			return &all[i];
	return nullptr; // found
}

__global__ void looked_up(entry *all, int count)
{
	find(all, count, threadIdx.x)->value = 1; // looked_up
}

// There are no more of them: what is chosen in their place is not asked for.
__global__ void taken(entry *all, int count)
{
	int item = WORK_ITEM;
	entry *one = item < count ? &all[item] : nullptr;
	asm volatile("" : "+v"(one));
	one->value = count; // taken
}

// A type with more members than anybody could list, none of which lies at a byte.
template <int Depth> struct deep {
	deep<Depth - 1> in[200];
};

template <> struct deep<0> {
	unsigned flag : 1;
};

__global__ void buried(const deep<5> *flags, int *found)
{
	found[WORK_ITEM] = flags->in[0].in[0].in[0].in[1].in[threadIdx.x].flag; // buried
}

// Variables of the program: an array, one in a namespace, and a number.
__constant__ float taps[16];

namespace tones {
__device__ unsigned steps[4][64];
}

__device__ int last_seen;

__global__ void filtered(const float *from, float *to, int count, int step)
{
	float sum = 0;
	for (int i = 0; i < count; i++)
		sum += taps[i * step] * from[threadIdx.x + i]; // filtered
	to[WORK_ITEM] = sum;
}

__global__ void toned(const int *places, unsigned *to)
{
	to[WORK_ITEM] = tones::steps[0][places[threadIdx.x]]; // toned
}

__global__ void noticed(int far)
{
	(&last_seen)[far] = threadIdx.x; // noticed
}

// A sum of 32 bits.
__global__ void summed_up(float *all, int base, int from)
{
	int at = base + from;
	all[at + (int)threadIdx.x] = 1; // summed_up
}

// A number of a cell from a position that is far out: compilers multiply positions in pairs, of which they may take one register alone.
__global__ void exploded(const float4 *places, const int *starts, float *to, float scale)
{
	const float4 place = places[threadIdx.x];
	int cell = int(place.x * scale) + int(place.y * scale) * 64 + int(place.z * scale) * 4096;
	to[threadIdx.x] = starts[cell]; // exploded
}

// A class that the host makes: of code for the GPU compilers say that there is one, and not what is in it.
template <class number> class grid {
	number *cells;
	size_t width;

public:
	grid(number *cells, size_t width) : cells(cells), width(width) {}
	__device__ number &operator()(size_t row, size_t column) { return cells[row * width + column]; }
};

__global__ void turned_round(grid<float> all, int rows, int columns)
{
	if (int(threadIdx.x) < columns)
		all(threadIdx.x, rows - 1) = 1; // turned_round
}

// An index from one of several buffers whose pointers are beside each other, and are copied together.
struct sparse {
	int rows;
	const int *starts, *columns;
	const double *values;
};

__global__ void summed_rows(sparse of, const double *by, double *to)
{
	int row = WORK_ITEM;
	double sum = 0;
	if (row >= of.rows)
		return;
	for (int i = of.starts[row]; i < of.starts[row + 1]; i++)
		sum += of.values[i] * by[of.columns[i]]; // summed_rows
	to[row] = sum;
}

// The row above the first one, of numbers without a sign that become as wide as an address.
__global__ void haloed(const float *from, float *to, unsigned width, unsigned rows)
{
	unsigned row = blockIdx.y;
	if (row < rows && threadIdx.x < width)
		to[threadIdx.x] = from[size_t(row - 1) * width + threadIdx.x]; // haloed
}

// A number of elements that was given to hipMalloc as one of bytes, and one of floats where there are four together.
__global__ void filled(double *all, double by, int count)
{
	int item = WORK_ITEM;
	if (item < count)
		all[item] = by; // filled
}

// As many work-items as the buffer has half elements, by right: what they access is not what was compared.
__global__ void halved(int *all, int count, int offset)
{
	int item = WORK_ITEM;
	if (item < count)
		all[item / 2 + offset] = item; // halved
}

__global__ void fourfold(float4 *all, float by, int count)
{
	int item = WORK_ITEM;
	if (item < count)
		all[item].w = by; // fourfold
}

// Local memory that unoptimised code reaches by an address of all memory, which no lane fails to find.
__global__ void bucketed(const int *keys, int *to)
{
	__shared__ int mine[256], counts[16];
	mine[threadIdx.x] = keys[threadIdx.x];
	if (threadIdx.x < 16)
		counts[threadIdx.x] = 0;
	__syncthreads();
	atomicAdd(&counts[mine[threadIdx.x]], 1); // bucketed
	__syncthreads();
	to[mine[threadIdx.x ^ 3]] = counts[threadIdx.x & 15];
}

// A structure of which nothing is known without debug information.
struct plane {
	long rows;
	int width, height;
	float *cells;
};

__global__ void shaped(plane of, int from)
{
	of.cells[from + (int)threadIdx.x] = of.width; // shaped
}

// A matrix whose columns are counted from 1, of more rows than is recorded of.
__global__ void multiplied(const int *starts, const int *columns, const double *by, double *products, int rows)
{
	int row = WORK_ITEM;
	if (row >= rows)
		return;
	double sum = 0;
	for (int i = starts[row]; i < starts[row + 1]; i++)
		sum += by[columns[i]]; // multiplied
	products[row] = sum;
}

static void multiply(int rows, int farther)
{
	int *numbers = new int[rows + 1], *starts, *columns;
	double *by, *products;

	end(hipMalloc((void **)&starts, (rows + 1) * sizeof(int)));
	end(hipMalloc((void **)&columns, rows * sizeof(int)));
	end(hipMalloc((void **)&products, rows * sizeof(double)));
	end(hipMalloc((void **)&by, rows * sizeof(double)));
	for (int i = 0; i <= rows; i++)
		numbers[i] = i;
	end(hipMemcpy(starts, numbers, (rows + 1) * sizeof(int), hipMemcpyHostToDevice));
	for (int i = 0; i <= rows; i++)
		numbers[i] += farther;
	end(hipMemcpy(columns, numbers + 1, rows * sizeof(int), hipMemcpyHostToDevice));
	multiplied<<<rows / 64, 64>>>(starts, columns, by, products, rows);
}

// A row that ends far behind its buffer: it takes many rounds until then.
__global__ void rows_summed(const int *ends, const float *from, float *to)
{
	int row = blockIdx.x;
	float sum = 0;
	for (int i = row * 100 + threadIdx.x; i < ends[row]; i += blockDim.x)
		sum += from[i]; // rows_summed
	to[row * blockDim.x + threadIdx.x] = sum;
}

// An index that two loads make, of which one is wrong.
__global__ void paired(const float *from, const int *rows, const int *columns, float *to)
{
	int item = WORK_ITEM;
	to[item] = from[rows[item] * 64 + columns[item]]; // paired
}

// The difference of two loads, of which either may be wrong.
__global__ void apart(const float *from, const int *rows, const int *columns, float *to)
{
	int item = WORK_ITEM;
	to[item] = from[rows[item] - columns[item]]; // apart
}

// What blocks in front have counted says where a block begins: as many of them as have not been summed up.
__global__ void looks_back(const volatile int *states, const volatile int *counts, int *to, int block)
{
	__shared__ int begin;
	if (threadIdx.x == 0) {
		int sum = 0;
		for (int i = block - 1; i >= 0; i--) {
			int state = states[i];
			sum += counts[i]; // looks_back counts
			if (state == 2)
				break;
		}
		begin = sum;
	}
	__syncthreads();
	to[begin + threadIdx.x] = block; // looks_back
}

// There may be no biases: an index counts on all the same.
__global__ void biased(const double *biases, double *to, int with, long from)
{
	const double *own = with >> (threadIdx.x & 7) & 1 ? biases : nullptr; // biased choice
	to[WORK_ITEM] = own[from + threadIdx.x]; // biased
}

// Places in the memory of workgroups and work-items that are gone.
__device__ int *shared_then, *owned_then;

__global__ void keeps(int *to, int from)
{
	__shared__ int shared[64];
	int own[64];
	shared[threadIdx.x] = from;
	for (int i = 0; i < 64; i++)
		own[i] = to[i] + from;
	if (threadIdx.x == 0) {
		shared_then = shared;
		owned_then = own;
	}
	__syncthreads();
	to[threadIdx.x] = shared[63 - threadIdx.x] + own[from & 63];
}

__global__ void reads_shared(int *to)
{
	to[threadIdx.x] = shared_then[threadIdx.x]; // reads_shared
}

__global__ void reads_owned(int *to)
{
	to[threadIdx.x] = owned_then[threadIdx.x]; // reads_owned
}

// Rows and columns of the result are exchanged.
__global__ void transposed(const float *from, float *to, int rows, int columns)
{
	int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
	if (row < rows && column < columns)
		to[column * columns + row] = from[row * columns + column]; // transposed
}

// One work-item goes through all, and through what is mapped behind it.
__global__ void totalled(const float *values, const int *count, float *to)
{
	float sum = 0;
	for (int i = 0; i < *count; i++)
		sum += values[i]; // totalled
	*to = sum;
}

// A number that half of the lanes have, taken from the other half.
__global__ void routed(const int *begins, const float *from, float *to)
{
	int lane = threadIdx.x & 63;
	int begin = __shfl(lane < 32 ? begins[lane] : -2147483647, 63 - lane / 2); // routed number
	to[threadIdx.x] = from[begin + lane]; // routed
}

// Numbers that are taken from a lane, which is the one that fails: it is asked for itself, or has none before it.
__global__ void announced(int *to)
{
	int announced = __builtin_amdgcn_readlane(threadIdx.x * 60000000, 5);
	if (threadIdx.x == 5)
		to[announced] = threadIdx.x; // announced
}

__global__ void shifted(int *to)
{
	int number = threadIdx.x ? 0 : 300000000;
	to[__builtin_amdgcn_update_dpp(number, number, 0x111, 0xf, 0xf, false)] = 1; // shifted
}

// A number of elements that does not fit into an int.
__global__ void reversed(double *all, int count)
{
	int item = WORK_ITEM;
	double kept = all[count - 1 - item]; // reversed
	all[count - 1 - item] = all[item];
	all[item] = kept;
}

// More rows beside a tile than it has, in the only local memory that there is, and where more of it was to be asked for at the launch.
__global__ void bordered(const float *from, float *to, int width, int border)
{
	__shared__ float tile[16][17];
	tile[threadIdx.y + border][threadIdx.x] = from[threadIdx.y * width + threadIdx.x]; // bordered
	__syncthreads();
	to[threadIdx.y * width + threadIdx.x] = tile[threadIdx.y][threadIdx.x];
}

__global__ void appended(const float *from, float *to)
{
	__shared__ float tile[64];
	extern __shared__ float more[];
	tile[63 - threadIdx.x] = from[threadIdx.x];
	more[threadIdx.x + 5] = from[threadIdx.x] * 2; // appended
	__syncthreads();
	to[threadIdx.x] = tile[threadIdx.x] + more[threadIdx.x];
}

// More values than local memory has room for, in steps of a workgroup, of which code takes the size out of a word by a mask.
__global__ void staged(const float *from, float *to, int count)
{
	__shared__ float tile[128];
	for (int i = threadIdx.x; i < count; i += blockDim.x)
		tile[i] = from[i & 63]; // staged
	__syncthreads();
	to[threadIdx.x] = tile[127 - threadIdx.x];
}

// A view whose size is in bytes, in a loop.
template <typename item> struct view {
	item *items;
	size_t size;
};

__global__ void cleared(view<double> all, double by)
{
	for (size_t i = WORK_ITEM; i < all.size; i += (size_t)gridDim.x * blockDim.x)
		all.items[i] = by; // cleared
}

// An array of the caller's, in a structure as std::array is one.
struct stack_of_ints {
	int items[16];
};

__device__ __attribute__((noinline)) void push(int *stack, int top, int value)
{
	stack[top] = value; // pushed
}

__global__ void pushed(const int *tops, int *to)
{
	stack_of_ints stack = {};
	int sum = 0;
	push(stack.items, tops[threadIdx.x], 9); // pushed top
	for (int item : stack.items)
		sum += item;
	to[threadIdx.x] = sum;
}

// The place of a number in a list that a counter says, which is done in a header.
__global__ void listed_last(int *list, int *counter, const int *from)
{
	int at = atomicAdd(counter, 1);
	list[at] = from[threadIdx.x]; // listed_last
}

// A block of an index that is wrong, in a buffer without a type: what is compared counts something else.
struct block {
	unsigned short scale;
	unsigned char bytes[16];
};

__global__ void unpacked(const void *from, float *to, long count)
{
	const block *blocks = (const block *)from;
	long item = 2 * WORK_ITEM;
	if (item < count)
		to[item] = blocks[item / 16].scale; // unpacked
}

// Structures that point to structures: what the last pointer was loaded from is in no register any more.
struct layer {
	float *weights, *bias;
	int count;
};

struct layers {
	layer *all;
	int count;
};

__global__ void layered(const layers *of, float *to, int number)
{
	const layer &one = of->all[number];
	int item = WORK_ITEM;
	if (item < one.count)
		to[item] += one.bias[item]; // layered
}

// No slot has the key: the index that says so is none of those that were looked at.
__device__ unsigned seek(const unsigned *slots, unsigned count, unsigned key)
{
	unsigned at = key * 0x9e3779b1u % count;
	for (int i = 0; i < 4; i++, at = (at + 1) % count)
		if (slots[at] == key)
			return at;
	return ~0u;
}

__global__ void sought(const unsigned *slots, const float *values, unsigned count, const unsigned *keys, float *to)
{
	to[threadIdx.x] = values[seek(slots, count, keys[threadIdx.x])]; // sought
}

// An index of 64 bits, of which code makes each half by itself. Both are right.
__global__ void embedded(const float *table, const long *words, float *to, int width)
{
	long word = words[blockIdx.x];
	for (int i = threadIdx.x; i < width; i += blockDim.x)
		to[blockIdx.x * width + i] = table[word * width + i]; // embedded
}

// The plane before the first one: a long index that is below zero, and has its sign.
__global__ void relaxed(const double *from, double *to, int width, int rows)
{
	long at = ((long)blockIdx.z * rows + blockIdx.y) * width + WORK_ITEM, plane = (long)width * rows;
	to[at] = from[at + plane] - from[at - plane]; // relaxed
}

// A pointer in a union without a name, as tensors of several types have one.
struct tinted {
	int kind;
	union {
		float *shares;
		int *levels;
	};
	struct {
		int rows, columns;
	};
};

__global__ void dyed(tinted of, float by)
{
	int item = WORK_ITEM;
	if (item < of.rows * of.columns)
		of.shares[item] = by; // dyed
}

// The limit is loaded, and an argument that limits something else has the same value.
__global__ void gathered_rows(const int *sizes, const float *from, float *to, int most)
{
	int size = sizes[blockIdx.x];
	for (int i = threadIdx.x; i < size; i += blockDim.x)
		to[threadIdx.x] += from[i]; // gathered_rows
	if ((int)threadIdx.x < most)
		to[threadIdx.x] /= 2;
}

// A row is left out, and none is too many: that is no limit.
__global__ void pivoted(double *rows, int pivot)
{
	int row = WORK_ITEM;
	if (row == pivot)
		return;
	rows[row] = 1; // pivoted
}

// The same in a matrix. From gfx10 on one instruction multiplies and adds in 64 bits, of which nobody uses the upper half.
__global__ void eliminated(double *matrix, int width, int pivot)
{
	int row = WORK_ITEM;
	if (row == pivot)
		return;
	matrix[row * width + pivot] /= 3; // eliminated
}

// A copy of numbers on the device.
static int *on_device(const int *numbers, size_t count)
{
	int *copy;

	end(hipMalloc((void **)&copy, count * sizeof(*copy)));
	end(hipMemcpy(copy, numbers, count * sizeof(*copy), hipMemcpyHostToDevice));
	return copy;
}

int main(int argc, char **argv)
{
	const char *name = argc > 1 ? argv[1] : "";
	void *memory;

	end(hipMalloc(&memory, 1 << 20));
	if (!strcmp(name, "guarded"))
		guarded<<<3, 64>>>(nullptr, 100);
	else if (!strcmp(name, "scaled"))
		scaled<<<2, 64>>>(span{nullptr, 65, 0.5}, 2.5f, -3);
	else if (!strcmp(name, "painted"))
		painted<<<5000, 64>>>((unsigned *)memory, 7);
	else if (!strcmp(name, "offsets"))
		offsets<<<1, 64>>>((double *)memory, 1 << 20, 2500);
	else if (!strcmp(name, "counted"))
		counted<<<1, 64>>>((char *)memory, 64);
	else if (!strcmp(name, "turned"))
		turned<<<1, 64, 0>>>((int *)memory, 64);
	else if (!strcmp(name, "mixed"))
		mixed<<<1, 64>>>(channels{(float *)memory, nullptr, (float *)memory, 60}, 0.25f);
	else if (!strcmp(name, "chosen")) {
		const channels list[] = {{nullptr, nullptr, (float *)memory, 60}, {nullptr, (float *)memory, nullptr, 60}};

		end(hipMemcpy(memory, list, sizeof(list), hipMemcpyHostToDevice));
		chosen<<<1, 64>>>((const channels *)memory, 1);
	} else if (!strcmp(name, "weighted"))
		weighted<<<1, 64>>>((float *)memory, 60);
	else if (!strcmp(name, "tallied"))
		tallied<<<1, 64>>>(60);
	else if (!strcmp(name, "strided"))
		strided<<<64, 64>>>((double *)memory, 1 << 17);
	else if (!strcmp(name, "gathered")) {
		int numbers[64] = {0}, *seen;

		numbers[17] = 1 << 29;
		end(hipMalloc((void **)&seen, sizeof(numbers)));
		end(hipMemcpy(seen, numbers, sizeof(numbers), hipMemcpyHostToDevice));
		gathered<<<1, 64>>>((float *)memory, seen, (float *)memory, 64);
	} else if (!strcmp(name, "listed")) {
		const item value = {3, new item{5, nullptr}};

		end(hipMemcpy(memory, &value, sizeof(value), hipMemcpyHostToDevice));
		listed<<<1, 1>>>((const item *)memory, (int *)memory);
	} else if (!strcmp(name, "either"))
		either<<<1, 64>>>((float *)memory, nullptr, (float *)memory, 0);
	else if (!strcmp(name, "ranged"))
		ranged<<<1, 64>>>(row_of<float>{(float *)memory, 100}, 3);
	else if (!strcmp(name, "spread"))
		spread<<<1, 256>>>((float *)memory, 49997, 50000);
	else if (!strcmp(name, "handed"))
		handed<<<1, 256>>>((float *)memory, 70000, 50000);
	else if (!strcmp(name, "tripled"))
		each<<<1, 64>>>(tripled{row_of<float>{(float *)memory, 100}});
	else if (!strcmp(name, "quits") || !strcmp(name, "refuses")) {
		end(hipMemset(memory, 0, 1 << 10));
		end(hipMemset((char *)memory + 60, 0x80, 4));
		if (*name == 'q')
			quits<<<1, 64>>>((unsigned char *)memory, (int *)((char *)memory + 4096));
		else
			refuses<<<1, 64>>>((int *)memory, (int *)((char *)memory + 4096));
	}
	else if (!strcmp(name, "asserted") || !strcmp(name, "summed")) {
		const long sums[] = {9, 0, 0, 0, 0, *name == 'a' ? 7 : 0};

		end(hipMemset(memory, 0, 1 << 10));
		end(hipMemcpy(memory, sums, sizeof(sums), hipMemcpyHostToDevice));
		asserted<<<1, 64>>>((long *)memory, 64, 9);
	} else if (!strcmp(name, "counted_down")) {
		end(hipMemset(memory, 0, 1 << 10));
		counted_down<<<1, 64>>>((int *)memory, -3);
	} else if (!strcmp(name, "flagged")) {
		flagged<<<1, 64>>>(checked{(float *)memory, false});
	} else if (!strcmp(name, "stepped")) {
		stepped<<<1, 64>>>((float *)memory, steps{1, add_one});
	} else if (!strcmp(name, "tabled")) {
		void *table[] = {nullptr, nullptr, memory}, *seen;

		end(hipMalloc(&seen, sizeof(table)));
		end(hipMemset(memory, 0, 1 << 20));
		end(hipMemcpy(seen, table, sizeof(table), hipMemcpyHostToDevice));
		tabled<<<1, 64>>>((float *)memory, (float (*const *)(float))seen, 2);
	} else if (!strcmp(name, "descends")) {
		end(hipMemset(memory, 0, 1 << 10));
		descends<<<1, 64>>>((int *)memory, 1 << 20);
	} else if (!strcmp(name, "planes")) {
		planes<<<4, 64>>>((unsigned char *)memory, (unsigned char *)memory, 1024, 2048, 4096);
	} else if (!strcmp(name, "nests")) {
		end(hipMemset(memory, '(', 1 << 12));
		nests<<<1, 64>>>((char *)memory, (int *)((char *)memory + 4096));
	} else if (!strcmp(name, "wanders")) {
		end(hipMemset(memory, 0, 1 << 12));
		wanders<<<1, 64>>>((int *)memory);
	} else if (!strcmp(name, "strays")) {
		end(hipMemset(memory, 0, 1 << 12));
		strays<<<1, 64>>>((int *)memory);
	} else if (!strcmp(name, "trapped")) {
		trapped<<<1, 64>>>();
	} else if (!strcmp(name, "cached")) {
		const int places[] = {0, -4000};
		void *from;
		int *seen;

		end(hipMalloc(&from, 1 << 17));
		end(hipMalloc((void **)&seen, sizeof(places)));
		end(hipMemcpy(seen, places, sizeof(places), hipMemcpyHostToDevice));
		cached<<<8, 64>>>((float *)from, (float *)memory, seen, 4, 1 << 12);
	} else if (!strcmp(name, "flipped")) {
		void *from, *to;

		end(hipMalloc(&to, 8 << 20));
		end(hipMalloc(&from, 8 << 20));
		flipped<<<16, 64>>>((double *)from, (double *)to, 1023, -2048, 1024);
	} else if (!strcmp(name, "mirrored")) {
		void *from;

		end(hipMalloc(&from, 8ul << 29));
		mirrored<<<1, 9>>>((float *)from, (float *)memory, 8, 1 << 27);
	} else if (!strcmp(name, "applied")) {
		const int which[] = {1, 4000};
		int *seen;

		end(hipMalloc((void **)&seen, sizeof(which)));
		end(hipMemcpy(seen, which, sizeof(which), hipMemcpyHostToDevice));
		applied<<<2, 64>>>((float *)memory, seen);
	} else if (!strcmp(name, "dispatched")) {
		int which[64], *seen;

		for (int i = 0; i < 64; i++)
			which[i] = i == 37 ? 2 : i & 1;
		end(hipMemset(memory, 0, 1 << 10));
		end(hipMalloc((void **)&seen, sizeof(which)));
		end(hipMemcpy(seen, which, sizeof(which), hipMemcpyHostToDevice));
		dispatched<<<1, 64>>>((float *)memory, seen);
	} else if (!strcmp(name, "rowed")) {
		int rows[65], *seen;

		for (int i = 0; i < 65; i++)
			rows[i] = (1 << 18) - (64 - i) * 5 + (i == 64 ? 3000 : 0);
		end(hipMemset(memory, 0, 1 << 20));
		end(hipMalloc((void **)&seen, sizeof(rows)));
		end(hipMemcpy(seen, rows, sizeof(rows), hipMemcpyHostToDevice));
		rowed<<<1, 64>>>(seen, (int *)memory, seen);
	} else if (!strcmp(name, "inclusive")) {
		inclusive<<<1, 64>>>((double *)memory, 1 << 17);
	} else if (!strcmp(name, "searched")) {
		double *found;

		end(hipMalloc((void **)&found, 64 * sizeof(double)));
		searched<<<1, 64>>>((double *)memory, 1 << 17, found);
	} else if (!strcmp(name, "marked")) {
		int which[64], *seen;

		for (int i = 0; i < 64; i++)
			which[i] = i & 1 ? -1 : i == 38 ? 50000000 : i;
		end(hipMalloc((void **)&seen, sizeof(which)));
		end(hipMemcpy(seen, which, sizeof(which), hipMemcpyHostToDevice));
		marked<<<1, 64>>>(seen, (float *)memory);
	} else if (!strcmp(name, "placed")) {
		const int limits[] = {1, 2, 3, 4, 64, 1 << 29, 7, 7};
		int *seen;

		end(hipMalloc((void **)&seen, sizeof(limits)));
		end(hipMemcpy(seen, limits, sizeof(limits), hipMemcpyHostToDevice));
		placed<<<1, 64>>>(seen, (float *)memory);
	} else if (!strcmp(name, "ordered") || !strcmp(name, "ordered_by_two")) {
		menu filled = {};
		void *of;
		int which[128] = {}, *seen;

		for (int i = 0; i < 64; i++)
			which[i] = i == 37 ? 2 : i & 1;
		end(hipMemset(memory, 0, 1 << 10));
		end(hipMemcpyFromSymbol(filled.dishes, HIP_SYMBOL(operations), 2 * sizeof(*filled.dishes)));
		end(hipMalloc(&of, sizeof(filled)));
		end(hipMemcpy(of, &filled, sizeof(filled), hipMemcpyHostToDevice));
		end(hipMalloc((void **)&seen, sizeof(which)));
		end(hipMemcpy(seen, which, sizeof(which), hipMemcpyHostToDevice));
		if (!strcmp(name, "ordered"))
			ordered<<<1, 64>>>((menu *)of, seen, (float *)memory);
		else
			ordered_by_two<<<1, 64>>>((menu *)of, seen, (float *)memory);
	} else if (!strcmp(name, "held")) {
		held<<<1, 64>>>(handle{(int)(long)memory, 60}, 3);
	} else if (!strcmp(name, "looked_up")) {
		entry all[60];

		for (int i = 0; i < 60; i++)
			all[i].key = i;
		end(hipMemcpy(memory, all, sizeof(all), hipMemcpyHostToDevice));
		looked_up<<<1, 64>>>((entry *)memory, 60);
	} else if (!strcmp(name, "tiled")) {
		tiled<<<1, 64>>>((float *)memory, 140000, 14);
	} else if (!strcmp(name, "taken")) {
		taken<<<1, 64>>>((entry *)memory, 40);
	} else if (!strcmp(name, "buried")) {
		buried<<<1, 64>>>(nullptr, (int *)memory);
	} else if (!strcmp(name, "filtered")) {
		filtered<<<1, 64>>>((float *)memory, (float *)memory, 4, 1 << 28);
	} else if (!strcmp(name, "toned")) {
		int places[64] = {0};

		places[40] = INT_MIN;
		end(hipMemcpy(memory, places, sizeof(places), hipMemcpyHostToDevice));
		toned<<<1, 64>>>((int *)memory, (unsigned *)memory + 1024);
	} else if (!strcmp(name, "noticed")) {
		noticed<<<1, 64>>>(1 << 28);
	} else if (!strcmp(name, "summed_up")) {
		summed_up<<<1, 64>>>((float *)memory, 2000000000, 2000000000);
	} else if (!strcmp(name, "exploded")) {
		float4 places[64] = {};

		places[7].z = 3e7f;
		end(hipMemcpy(memory, places, sizeof(places), hipMemcpyHostToDevice));
		exploded<<<1, 64>>>((float4 *)memory, (int *)memory, (float *)memory, 1.0f);
	} else if (!strcmp(name, "turned_round")) {
		turned_round<<<1, 64>>>(grid<float>((float *)memory, 1 << 22), 4, 1 << 22);
	} else if (!strcmp(name, "summed_rows")) {
		int numbers[256] = {0};

		for (int i = 0; i <= 64; i++)
			numbers[i] = i;
		numbers[128 + 21] = 1 << 28;
		end(hipMemcpy(memory, numbers, sizeof(numbers), hipMemcpyHostToDevice));
		summed_rows<<<1, 64>>>(sparse{64, (int *)memory, (int *)memory + 128, (double *)memory}, (double *)memory, (double *)memory);
	} else if (!strcmp(name, "haloed")) {
		haloed<<<dim3(1, 2), 64>>>((float *)memory, (float *)memory, 128, 2);
	} else if (!strcmp(name, "filled")) {
		filled<<<1 << 12, 256>>>((double *)memory, 1, 1 << 20);
	} else if (!strcmp(name, "halved")) {
		halved<<<1 << 10, 256>>>((int *)memory, 1 << 19, 1 << 18);
	} else if (!strcmp(name, "fourfold")) {
		fourfold<<<1 << 10, 256>>>((float4 *)memory, 1, 1 << 18);
	} else if (!strcmp(name, "bucketed")) {
		int keys[256] = {0};

		keys[130] = 40000000;
		end(hipMemcpy(memory, keys, sizeof(keys), hipMemcpyHostToDevice));
		bucketed<<<1, 256>>>((int *)memory, (int *)memory + 1024);
	} else if (!strcmp(name, "multiplied")) {
		multiply(1 << 18, 0);
	} else if (!strcmp(name, "multiplied_far")) {
		multiply(1 << 18, 3 << 17);
	} else if (!strcmp(name, "rows_summed")) {
		const int ends[] = {100, 200, 1 << 30};

		rows_summed<<<3, 64>>>(on_device(ends, 3), (float *)memory, (float *)memory);
	} else if (!strcmp(name, "apart")) {
		int rows[64] = {0}, columns[64] = {0};

		rows[21] = 1 << 28;
		apart<<<1, 64>>>((float *)memory, on_device(rows, 64), on_device(columns, 64), (float *)memory);
	} else if (!strncmp(name, "paired", strlen("paired"))) {
		int rows[64] = {0}, columns[64] = {0};

		rows[21] = 1 << 22;
		columns[21] = !strcmp(name, "paired_both") ? 1 << 28 : 5;
		paired<<<1, 64>>>((float *)memory, on_device(rows, 64), on_device(columns, 64), (float *)memory);
	} else if (!strcmp(name, "looks_back")) {
		int states[12] = {0}, counts[12];

		for (int i = 0; i < 12; i++)
			counts[i] = 3;
		states[4] = 2;
		counts[4] = 1 << 27;
		looks_back<<<1, 64>>>(on_device(states, 12), on_device(counts, 12), (int *)memory, 12);
	} else if (!strcmp(name, "biased")) {
		biased<<<1, 64>>>((double *)memory, (double *)memory, 0xef, 6);
	} else if (!strncmp(name, "reads_", strlen("reads_"))) {
		keeps<<<1, 64>>>((int *)memory, 7);
		end(hipDeviceSynchronize());
		if (!strcmp(name, "reads_shared"))
			reads_shared<<<1, 64>>>((int *)memory);
		else
			reads_owned<<<1, 64>>>((int *)memory);
	} else if (!strcmp(name, "transposed")) {
		transposed<<<dim3(3, 1), dim3(16, 16)>>>((float *)memory, (float *)memory, 16, 8192);
	} else if (!strcmp(name, "routed")) {
		routed<<<1, 64>>>((int *)memory, (float *)memory, (float *)memory);
	} else if (!strcmp(name, "announced")) {
		announced<<<1, 64>>>((int *)memory);
	} else if (!strcmp(name, "shifted")) {
		shifted<<<1, 64>>>((int *)memory);
	} else if (!strcmp(name, "limited")) {
		limited<<<1, 64>>>(limits{40}, (int *)memory);
	} else if (!strcmp(name, "lowered")) {
		lowered<<<1, 64>>>((int *)memory, 3000, -1);
	} else if (!strcmp(name, "reversed")) {
		reversed<<<1, 64>>>((double *)memory, (int)3000000000);
	} else if (!strcmp(name, "totalled")) {
		const int count = 1 << 28;

		totalled<<<1, 1>>>((float *)memory, on_device(&count, 1), (float *)memory);
	} else if (!strcmp(name, "prolonged") || !strcmp(name, "prolonged_more")) {
		prolonged<<<1, 64>>>((float *)memory, (float *)memory, strcmp(name, "prolonged") ? 400000 : 50000);
	} else if (!strcmp(name, "flipped_twice")) {
		flipped<<<16, 64>>>((double *)memory, (double *)memory, -8000000, -2048, 1024);
	} else if (!strcmp(name, "bordered")) {
		bordered<<<1, dim3(16, 16)>>>((float *)memory, (float *)memory, 256, 2000);
	} else if (!strcmp(name, "staged")) {
		staged<<<1, 64>>>((float *)memory, (float *)memory, 100000);
	} else if (!strcmp(name, "appended")) {
		appended<<<1, 64>>>((float *)memory, (float *)memory);
	} else if (!strcmp(name, "cleared")) {
		cleared<<<64, 256>>>(view<double>{(double *)memory, 1 << 20}, 1);
	} else if (!strcmp(name, "listed_last")) {
		const int counter = 300000000;

		listed_last<<<1, 64>>>((int *)memory, on_device(&counter, 1), (int *)memory);
	} else if (!strcmp(name, "unpacked")) {
		const long count = 1 << 22;
		void *to;

		end(hipMalloc(&to, count * sizeof(float)));
		unpacked<<<count / 512, 256>>>(memory, (float *)to, count);
	} else if (!strcmp(name, "layered")) {
		// Memory ends where the structure does.
		const size_t before = (4 << 20) - sizeof(layers);
		layer all[4] = {};
		layers of = {nullptr, 4};
		void *seen;

		for (layer &one : all)
			one = {(float *)memory, (float *)memory, 64};
		all[3].bias = nullptr;
		end(hipMalloc((void **)&of.all, sizeof(all)));
		end(hipMemcpy(of.all, all, sizeof(all), hipMemcpyHostToDevice));
		end(hipMalloc(&seen, before + sizeof(of)));
		seen = (char *)seen + before;
		end(hipMemcpy(seen, &of, sizeof(of), hipMemcpyHostToDevice));
		layered<<<1, 64>>>((layers *)seen, (float *)memory, 3);
	} else if (!strcmp(name, "sought")) {
		int slots[256], keys[64];

		for (int i = 0; i < 256; i++)
			slots[i] = 1000000 + i;
		for (int i = 0; i < 64; i++)
			keys[i] = i;
		sought<<<1, 64>>>((unsigned *)on_device(slots, 256), (float *)memory, 256, (unsigned *)on_device(keys, 64), (float *)memory);
	} else if (!strcmp(name, "embedded")) {
		long words[12] = {0};

		words[9] = 50257000;
		end(hipMemset(memory, 0, 1 << 10));
		end(hipMemcpy((char *)memory + 4096, words, sizeof(words), hipMemcpyHostToDevice));
		embedded<<<12, 64>>>((float *)memory, (long *)((char *)memory + 4096), (float *)memory, 128);
	} else if (!strcmp(name, "relaxed")) {
		void *planes;

		end(hipMalloc(&planes, 8 << 20));
		relaxed<<<dim3(2, 512, 1), 256>>>((double *)planes, (double *)planes, 512, 512);
	} else if (!strcmp(name, "dyed")) {
		tinted of = {};

		of.rows = 8;
		of.columns = 32;
		dyed<<<1, 256>>>(of, 1.5f);
	} else if (!strcmp(name, "pivoted")) {
		pivoted<<<1 << 10, 256>>>((double *)memory, 1 << 20);
	} else if (!strcmp(name, "gathered_rows")) {
		const int sizes[3] = {100, 2000000, 40};

		gathered_rows<<<3, 256>>>(on_device(sizes, 3), (const float *)memory, (float *)memory, 2000000);
	} else if (!strcmp(name, "eliminated")) {
		eliminated<<<8, 256>>>((double *)memory, 512, 7);
	} else if (!strcmp(name, "pushed")) {
		int tops[64] = {0};

		tops[30] = 1 << 22;
		pushed<<<1, 64>>>(on_device(tops, 64), (int *)memory);
	} else if (!strcmp(name, "shaped")) {
		shaped<<<1, 64>>>(plane{64, 7, 9, (float *)memory}, 1 << 27);
	} else if (!strcmp(name, "overtaken")) {
		int places[4] = {0, 0, 0, 300000000}, turn[2] = {0};

		overtaken<<<2, 1>>>(on_device(places, 4), on_device(turn, 2), (float *)memory);
	} else if (!strcmp(name, "heaped")) {
		shaped<<<1, 64>>>(plane{64, 7, 9, new float[64]}, 0);
	} else if (!strcmp(name, "voxels"))
		voxels<<<dim3(4, 4, 32), dim3(16, 4, 4)>>>((float *)memory, 64, 64);
	end(hipDeviceSynchronize());
	return 0;
}
