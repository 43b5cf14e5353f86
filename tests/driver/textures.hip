// SPDX-License-Identifier: MIT
// HIP programs with textures and surfaces, one for each name: textures NAME. Each computes on the device what the host computes, too,
// prints one line and exits with 0 if both are alike. The one behind `missing` uses what the device does not have.
#include <hip/hip_runtime.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <type_traits>
#include <vector>

#define CHECK(call)                                                                                \
	do {                                                                                       \
		hipError_t error_ = (call);                                                        \
		if (error_ != hipSuccess) {                                                        \
			printf("%s: %s\n", #call, hipGetErrorName(error_));                        \
			exit(1);                                                                   \
		}                                                                                  \
	} while (0)

template <typename T> static std::vector<T> pattern(size_t count)
{
	std::vector<T> values(count);
	unsigned state = 12345;

	for (T &value : values) {
		unsigned char bytes[sizeof(T)];

		for (unsigned char &byte : bytes) {
			state = state * 1103515245 + 12345;
			byte = (unsigned char)(state >> 16);
		}
		memcpy(&value, bytes, sizeof(T));
	}
	return values;
}

// Singles are to be numbers.
static float small(size_t i)
{
	return (float)(int)(i * 37 % 211) * 0.25f - 20;
}

template <> std::vector<float> pattern<float>(size_t count)
{
	std::vector<float> values(count);

	for (size_t i = 0; i < count; i++)
		values[i] = small(i);
	return values;
}

template <> std::vector<float4> pattern<float4>(size_t count)
{
	std::vector<float4> values(count);

	for (size_t i = 0; i < count; i++)
		values[i] = {small(4 * i), small(4 * i + 1), small(4 * i + 2), small(4 * i + 3)};
	return values;
}

template <> std::vector<float2> pattern<float2>(size_t count)
{
	std::vector<float2> values(count);

	for (size_t i = 0; i < count; i++)
		values[i] = {small(2 * i), small(2 * i + 1)};
	return values;
}

// An array of the device and a texture on it; @height 0: of one dimension.
template <typename T> struct Image {
	hipArray_t array;
	hipTextureObject_t texture;
	size_t width, height;

	Image(const std::vector<T> &from, size_t w, size_t h, hipTextureDesc how) : width(w), height(h)
	{
		hipChannelFormatDesc format = hipCreateChannelDesc<T>();
		hipResourceDesc what = {};

		CHECK(hipMallocArray(&array, &format, w, h));
		CHECK(hipMemcpy2DToArray(array, 0, 0, from.data(), w * sizeof(T), w * sizeof(T), h ? h : 1,
					 hipMemcpyHostToDevice));
		what.resType = hipResourceTypeArray;
		what.res.array.array = array;
		CHECK(hipCreateTextureObject(&texture, &what, &how, nullptr));
	}
	~Image()
	{
		CHECK(hipDestroyTextureObject(texture));
		CHECK(hipFreeArray(array));
	}
};

static hipTextureDesc way(hipTextureFilterMode filter, hipTextureAddressMode outside, bool normalized,
			  hipTextureReadMode read = hipReadModeElementType)
{
	hipTextureDesc how = {};

	how.addressMode[0] = how.addressMode[1] = how.addressMode[2] = outside;
	how.filterMode = filter;
	how.readMode = read;
	how.normalizedCoords = normalized;
	return how;
}

template <typename T> static std::vector<T> fetched(const T *device, size_t count)
{
	std::vector<T> values(count);

	CHECK(hipMemcpy(values.data(), device, count * sizeof(T), hipMemcpyDeviceToHost));
	return values;
}

// Samples at coordinates that the host has chosen.
template <typename R> __global__ void sample2(hipTextureObject_t texture, const float2 *at, R *out, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n)
		out[i] = tex2D<R>(texture, at[i].x, at[i].y);
}

template <typename R> __global__ void sample1(hipTextureObject_t texture, const float2 *at, R *out, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n)
		out[i] = tex1D<R>(texture, at[i].x);
}

template <typename R>
static std::vector<R> samples(hipTextureObject_t texture, const std::vector<float2> &at, bool flat = false)
{
	int n = (int)at.size();
	float2 *places;
	R *out;

	CHECK(hipMalloc(&places, n * sizeof(*places)));
	CHECK(hipMalloc(&out, n * sizeof(R)));
	CHECK(hipMemcpy(places, at.data(), n * sizeof(*places), hipMemcpyHostToDevice));
	if (flat)
		sample1<<<(n + 127) / 128, 128>>>(texture, places, out, n);
	else
		sample2<<<(n + 127) / 128, 128>>>(texture, places, out, n);
	std::vector<R> values = fetched(out, n);
	CHECK(hipFree(out));
	CHECK(hipFree(places));
	return values;
}

template <typename T> static bool exact(size_t width, size_t height)
{
	std::vector<T> from = pattern<T>(width * height);
	Image<T> image(from, width, height, way(hipFilterModePoint, hipAddressModeClamp, false));
	std::vector<float2> at;

	for (size_t y = 0; y < height; y++)
		for (size_t x = 0; x < width; x++)
			at.push_back({x + 0.5f, y + 0.5f});
	std::vector<T> found = samples<T>(image.texture, at);
	if (memcmp(found.data(), from.data(), from.size() * sizeof(T))) {
		printf("%zu bytes, %zu to %zu\n", sizeof(T), width, height);
		return false;
	}
	return true;
}

// Each size and kind of an element, in images that are smaller and larger than the blocks in which they lie.
static bool formats()
{
	bool fine = true;

	for (size_t width : {5, 61, 300})
		fine &= exact<unsigned char>(width, 37) & exact<char>(width, 37) & exact<uchar2>(width, 37) &
			exact<uchar4>(width, 37) & exact<char4>(width, 37) & exact<unsigned short>(width, 37) &
			exact<short>(width, 37) & exact<ushort2>(width, 37) & exact<short4>(width, 37) &
			exact<int>(width, 37) & exact<uint2>(width, 37) & exact<uint4>(width, 37) &
			exact<float>(width, 37) & exact<float2>(width, 37) & exact<float4>(width, 37);
	return fine & exact<float>(520, 150) & exact<unsigned char>(700, 530) & exact<float4>(150, 140);
}

// Bytes along sRGB's curve, but for alpha, each of them once for each component.
static bool curves()
{
	const int n = 256;
	std::vector<uchar4> from;
	hipTextureDesc how = way(hipFilterModePoint, hipAddressModeClamp, false, hipReadModeNormalizedFloat);
	std::vector<float2> at;
	bool fine = true;

	for (int i = 0; i < n; i++) {
		from.push_back({(unsigned char)i, (unsigned char)(i + 64), (unsigned char)(255 - i), (unsigned char)(i * 3)});
		at.push_back({i + 0.5f, 0.5f});
	}
	how.sRGB = 1;
	Image<uchar4> image(from, n, 1, how);
	std::vector<float4> found = samples<float4>(image.texture, at);
	for (int i = 0; i < n; i++)
		for (int c = 0; c < 4; c++) {
			double part = ((unsigned char *)&from[i])[c] / 255.0;
			double linear = part <= 0.04045 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4);

			fine &= fabs(((float *)&found[i])[c] - (c < 3 ? linear : part)) < 1e-4;
		}
	return fine;
}

// An axis as the host has it: the element that stands at a place, or -1 for the border.
static int outside(int place, int size, hipTextureAddressMode mode)
{
	switch (mode) {
	case hipAddressModeWrap:
		return (place % size + size) % size;
	case hipAddressModeMirror:
		place = (place % (2 * size) + 2 * size) % (2 * size);
		return place < size ? place : 2 * size - 1 - place;
	case hipAddressModeBorder:
		return place < 0 || place >= size ? -1 : place;
	default:
		return place < 0 ? 0 : place >= size ? size - 1 : place;
	}
}

static float host_sample(const std::vector<float> &from, int width, int height, float2 at, bool linear,
			 hipTextureAddressMode mode, bool normalized)
{
	auto element = [&](int x, int y) {
		x = outside(x, width, mode);
		y = outside(y, height, mode);
		return x < 0 || y < 0 ? 0 : from[y * width + x];
	};
	double x = normalized ? (double)at.x * width : at.x, y = normalized ? (double)at.y * height : at.y;

	if (!linear)
		return element((int)floor(x), (int)floor(y));
	x -= 0.5;
	y = height == 1 ? 0 : y - 0.5;
	int column = (int)floor(x), row = (int)floor(y);
	double a = x - column, b = y - row;
	return (float)((1 - b) * ((1 - a) * element(column, row) + a * element(column + 1, row)) +
		       b * ((1 - a) * element(column, row + 1) + a * element(column + 1, row + 1)));
}

// Places inside and around an image, in steps that a sampler represents exactly.
static std::vector<float2> places(int width, int height, bool normalized)
{
	std::vector<float2> at;

	for (int i = 0; i < 3000; i++) {
		float x = (float)(i * 977 % (256 * (width + 20))) / 256 - 10;
		float y = (float)(i * 1613 % (256 * (height + 20))) / 256 - 10;
		at.push_back(normalized ? float2{x / width, y / height} : float2{x, y});
	}
	return at;
}

static bool near(const std::vector<float> &found, const std::vector<float> &expected, float tolerance)
{
	for (size_t i = 0; i < expected.size(); i++)
		if (!(fabsf(found[i] - expected[i]) <= tolerance)) {
			printf("%zu: %g, not %g\n", i, found[i], expected[i]);
			return false;
		}
	return true;
}

// Sizes that are powers of two, so that normalized coordinates are exact, too.
static bool filters()
{
	const int width = 64, height = 32;
	std::vector<float> from = pattern<float>(width * height);
	bool fine = true;

	for (bool linear : {false, true})
		for (hipTextureAddressMode mode :
		     {hipAddressModeClamp, hipAddressModeBorder, hipAddressModeWrap, hipAddressModeMirror})
			for (bool normalized : {false, true}) {
				if (!normalized && (mode == hipAddressModeWrap || mode == hipAddressModeMirror))
					continue;
				Image<float> image(from, width, height,
						   way(linear ? hipFilterModeLinear : hipFilterModePoint, mode,
						       normalized));
				std::vector<float2> at = places(width, height, normalized);
				std::vector<float> expected;

				for (float2 place : at)
					expected.push_back(
						host_sample(from, width, height, place, linear, mode, normalized));
				fine &= near(samples<float>(image.texture, at), expected, 1e-4f);
			}
	return fine;
}

// Elements of 8 and 16 bits as numbers from 0 or -1 to 1.
static bool fractions()
{
	const int width = 40, height = 20;
	std::vector<unsigned char> bytes = pattern<unsigned char>(width * height);
	std::vector<short> words = pattern<short>(width * height);
	std::vector<float2> at = places(width, height, false);
	std::vector<float> from(width * height), expected;
	bool fine = true;

	for (bool linear : {false, true}) {
		hipTextureDesc how = way(linear ? hipFilterModeLinear : hipFilterModePoint, hipAddressModeClamp, false,
					 hipReadModeNormalizedFloat);
		Image<unsigned char> image(bytes, width, height, how);
		Image<short> other(words, width, height, how);

		expected.clear();
		for (int i = 0; i < width * height; i++)
			from[i] = bytes[i] / 255.0f;
		for (float2 place : at)
			expected.push_back(host_sample(from, width, height, place, linear, hipAddressModeClamp, false));
		fine &= near(samples<float>(image.texture, at), expected, 1e-5f);
		expected.clear();
		for (int i = 0; i < width * height; i++)
			from[i] = fmaxf(words[i] / 32767.0f, -1);
		for (float2 place : at)
			expected.push_back(host_sample(from, width, height, place, linear, hipAddressModeClamp, false));
		fine &= near(samples<float>(other.texture, at), expected, 1e-5f);
	}
	return fine;
}

template <typename T> __global__ void fetch(hipTextureObject_t texture, T *out, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	out[i] = tex1Dfetch<T>(texture, n - 1 - i);
}

// Linear memory as a texture, and past its end, where it is 0.
template <typename T> static bool linear_memory()
{
	const int n = 256;
	std::vector<T> from = pattern<T>(n), expected(from.rbegin(), from.rend());
	hipTextureObject_t texture;
	hipResourceDesc what = {};
	T *data, *out, zero;

	CHECK(hipMalloc(&data, n * sizeof(T)));
	CHECK(hipMalloc(&out, n * sizeof(T)));
	CHECK(hipMemcpy(data, from.data(), n * sizeof(T), hipMemcpyHostToDevice));
	what.resType = hipResourceTypeLinear;
	what.res.linear.devPtr = data;
	what.res.linear.desc = hipCreateChannelDesc<T>();
	what.res.linear.sizeInBytes = n * sizeof(T);
	hipTextureDesc how = way(hipFilterModePoint, hipAddressModeClamp, false);
	CHECK(hipCreateTextureObject(&texture, &what, &how, nullptr));
	fetch<<<4, 64>>>(texture, out, n);
	bool fine = !memcmp(fetched(out, n).data(), expected.data(), n * sizeof(T));
	fetch<<<1, 1>>>(texture, out, n + 7);
	memset(&zero, 0, sizeof(zero));
	fine &= !memcmp(fetched(out, 1).data(), &zero, sizeof(T));
	CHECK(hipDestroyTextureObject(texture));
	CHECK(hipFree(data));
	CHECK(hipFree(out));
	return fine;
}

static bool buffers()
{
	return linear_memory<float>() & linear_memory<float4>() & linear_memory<unsigned char>() &
	       linear_memory<uchar4>() & linear_memory<short>() & linear_memory<ushort2>() & linear_memory<int2>() &
	       linear_memory<char>();
}

static bool lines()
{
	const int width = 128;
	std::vector<float> from = pattern<float>(width), expected;
	std::vector<float2> at = places(width, 1, false);
	bool fine = true;

	for (bool linear : {false, true}) {
		Image<float> image(from, width, 0,
				   way(linear ? hipFilterModeLinear : hipFilterModePoint, hipAddressModeClamp, false));

		expected.clear();
		for (float2 place : at)
			expected.push_back(
				host_sample(from, width, 1, {place.x, 0}, linear, hipAddressModeClamp, false));
		fine &= near(samples<float>(image.texture, at, true), expected, 1e-4f);
	}
	return fine;
}

// Rows of memory that have a pitch.
static bool pitched()
{
	const int width = 100, height = 12;
	std::vector<float> from = pattern<float>(width * height), expected;
	std::vector<float2> at = places(width, height, false);
	hipTextureObject_t texture;
	hipResourceDesc what = {};
	size_t pitch;
	void *data;

	CHECK(hipMallocPitch(&data, &pitch, width * sizeof(float), height));
	CHECK(hipMemcpy2D(data, pitch, from.data(), width * sizeof(float), width * sizeof(float), height,
			  hipMemcpyHostToDevice));
	what.resType = hipResourceTypePitch2D;
	what.res.pitch2D.devPtr = data;
	what.res.pitch2D.desc = hipCreateChannelDesc<float>();
	what.res.pitch2D.width = width;
	what.res.pitch2D.height = height;
	what.res.pitch2D.pitchInBytes = pitch;
	hipTextureDesc how = way(hipFilterModeLinear, hipAddressModeClamp, false);
	CHECK(hipCreateTextureObject(&texture, &what, &how, nullptr));
	for (float2 place : at)
		expected.push_back(host_sample(from, width, height, place, true, hipAddressModeClamp, false));
	bool fine = near(samples<float>(texture, at), expected, 1e-4f);
	CHECK(hipDestroyTextureObject(texture));
	CHECK(hipFree(data));
	return fine;
}

__global__ void turn(hipSurfaceObject_t from, hipSurfaceObject_t to, int width, int height)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
	float value;

	if (x >= width)
		return;
	surf2Dread(&value, from, x * (int)sizeof(value), y);
	surf2Dwrite(value * 2 + 1, to, x * (int)sizeof(value), height - 1 - y);
}

// Read and written as a surface, and copied back as an array.
static bool surfaces()
{
	const int width = 70, height = 40;
	std::vector<float> from = pattern<float>(width * height), expected(from.size()), found(from.size());
	hipTextureDesc how = way(hipFilterModePoint, hipAddressModeClamp, false);
	hipSurfaceObject_t surfaces[2];
	hipResourceDesc what = {};

	Image<float> source(from, width, height, how), target(from, width, height, how);
	what.resType = hipResourceTypeArray;
	what.res.array.array = source.array;
	CHECK(hipCreateSurfaceObject(&surfaces[0], &what));
	what.res.array.array = target.array;
	CHECK(hipCreateSurfaceObject(&surfaces[1], &what));
	turn<<<dim3(2, height), 64>>>(surfaces[0], surfaces[1], width, height);
	CHECK(hipMemcpy2DFromArray(found.data(), width * sizeof(float), target.array, 0, 0, width * sizeof(float),
				   height, hipMemcpyDeviceToHost));
	for (int y = 0; y < height; y++)
		for (int x = 0; x < width; x++)
			expected[(height - 1 - y) * width + x] = from[y * width + x] * 2 + 1;
	CHECK(hipDestroySurfaceObject(surfaces[0]));
	CHECK(hipDestroySurfaceObject(surfaces[1]));
	return found == expected;
}

// An array of three dimensions, or one of layers, and a texture on it.
template <typename T> struct Solid {
	hipArray_t array;
	hipTextureObject_t texture;

	Solid(const std::vector<T> &from, hipExtent size, unsigned flags, hipTextureDesc how)
	{
		hipChannelFormatDesc format = hipCreateChannelDesc<T>();
		hipResourceDesc what = {};
		hipMemcpy3DParms copy = {};

		CHECK(hipMalloc3DArray(&array, &format, size, flags));
		copy.srcPtr = make_hipPitchedPtr((void *)from.data(), size.width * sizeof(T), size.width, size.height);
		copy.dstArray = array;
		copy.extent = size;
		copy.kind = hipMemcpyHostToDevice;
		CHECK(hipMemcpy3D(&copy));
		what.resType = hipResourceTypeArray;
		what.res.array.array = array;
		CHECK(hipCreateTextureObject(&texture, &what, &how, nullptr));
	}
	~Solid()
	{
		CHECK(hipDestroyTextureObject(texture));
		CHECK(hipFreeArray(array));
	}
};

template <typename R, bool LAYERS>
__global__ void sample3(hipTextureObject_t texture, const float4 *at, R *out, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i >= n)
		return;
	out[i] = LAYERS ? tex2DLayered<R>(texture, at[i].x, at[i].y, (int)at[i].z)
			: tex3D<R>(texture, at[i].x, at[i].y, at[i].z);
}

template <typename R, bool LAYERS>
static std::vector<R> samples3(hipTextureObject_t texture, const std::vector<float4> &at)
{
	int n = (int)at.size();
	float4 *places;
	R *out;

	CHECK(hipMalloc(&places, n * sizeof(*places)));
	CHECK(hipMalloc(&out, n * sizeof(R)));
	CHECK(hipMemcpy(places, at.data(), n * sizeof(*places), hipMemcpyHostToDevice));
	sample3<R, LAYERS><<<(n + 127) / 128, 128>>>(texture, places, out, n);
	std::vector<R> values = fetched(out, n);
	CHECK(hipFree(out));
	CHECK(hipFree(places));
	return values;
}

template <typename T, bool LAYERS = false> static bool exact3(size_t width, size_t height, size_t depth)
{
	std::vector<T> from = pattern<T>(width * height * depth);
	Solid<T> solid(from, make_hipExtent(width, height, depth), LAYERS ? hipArrayLayered : 0,
		       way(hipFilterModePoint, hipAddressModeClamp, false));
	std::vector<float4> at;

	for (size_t z = 0; z < depth; z++)
		for (size_t y = 0; y < height; y++)
			for (size_t x = 0; x < width; x++)
				at.push_back({x + 0.5f, y + 0.5f, z + (LAYERS ? 0 : 0.5f), 0});
	std::vector<T> found = samples3<T, LAYERS>(solid.texture, at);
	if (memcmp(found.data(), from.data(), from.size() * sizeof(T))) {
		printf("%zu bytes, %zu to %zu to %zu\n", sizeof(T), width, height, depth);
		return false;
	}
	return true;
}

static bool solids()
{
	return exact3<unsigned char>(5, 4, 3) & exact3<short>(20, 9, 7) & exact3<float>(9, 30, 6) &
	       exact3<float2>(17, 5, 19) & exact3<float4>(6, 7, 8) & exact3<unsigned char>(70, 40, 35) &
	       exact3<float>(50, 40, 33) & exact3<float4>(20, 33, 18);
}

static bool layers()
{
	return exact3<unsigned char, true>(21, 14, 3) & exact3<float, true>(70, 40, 5) & exact3<float4, true>(33, 9, 18);
}

// Addresses along three axes. Linear filtering is what newer runtimes refuse for gfx90a.
static bool solid_edges()
{
	const int size = 16;
	std::vector<float> from = pattern<float>(size * size * size);
	bool fine = true;

	for (hipTextureAddressMode mode :
	     {hipAddressModeClamp, hipAddressModeBorder, hipAddressModeWrap, hipAddressModeMirror}) {
		bool normalized = mode == hipAddressModeWrap || mode == hipAddressModeMirror;
		float scale = normalized ? size : 1;
		Solid<float> solid(from, make_hipExtent(size, size, size), 0, way(hipFilterModePoint, mode, normalized));
		std::vector<float2> flat = places(size, size, normalized), deep = places(size, size + 5, normalized);
		std::vector<float4> at;
		std::vector<float> expected;

		for (size_t i = 0; i < flat.size(); i++) {
			int x = outside((int)floorf(flat[i].x * scale), size, mode);
			int y = outside((int)floorf(flat[i].y * scale), size, mode);
			int z = outside((int)floorf(deep[i].x * scale), size, mode);

			at.push_back({flat[i].x, flat[i].y, deep[i].x, 0});
			expected.push_back(x < 0 || y < 0 || z < 0 ? 0 : from[(z * size + y) * size + x]);
		}
		fine &= near(samples3<float, false>(solid.texture, at), expected, 0);
	}
	return fine;
}

__global__ void turn3(hipSurfaceObject_t from, hipSurfaceObject_t to, int width, int depth)
{
	int x = threadIdx.x, y = blockIdx.x, z = blockIdx.y;
	float value;

	if (x >= width)
		return;
	surf3Dread(&value, from, x * (int)sizeof(value), y, z);
	surf3Dwrite(value * 2 + 1, to, x * (int)sizeof(value), y, depth - 1 - z);
}

static bool solid_surfaces()
{
	const int width = 40, height = 20, depth = 12;
	std::vector<float> from = pattern<float>(width * height * depth), expected(from.size()), found(from.size());
	hipTextureDesc how = way(hipFilterModePoint, hipAddressModeClamp, false);
	hipExtent size = make_hipExtent(width, height, depth);
	hipSurfaceObject_t surfaces[2];
	hipResourceDesc what = {};
	hipMemcpy3DParms copy = {};

	Solid<float> source(from, size, 0, how), target(from, size, 0, how);
	what.resType = hipResourceTypeArray;
	what.res.array.array = source.array;
	CHECK(hipCreateSurfaceObject(&surfaces[0], &what));
	what.res.array.array = target.array;
	CHECK(hipCreateSurfaceObject(&surfaces[1], &what));
	turn3<<<dim3(height, depth), 64>>>(surfaces[0], surfaces[1], width, depth);
	copy.srcArray = target.array;
	copy.dstPtr = make_hipPitchedPtr(found.data(), width * sizeof(float), width, height);
	copy.extent = size;
	copy.kind = hipMemcpyDeviceToHost;
	CHECK(hipMemcpy3D(&copy));
	for (int z = 0; z < depth; z++)
		for (int i = 0; i < width * height; i++)
			expected[(depth - 1 - z) * width * height + i] = from[z * width * height + i] * 2 + 1;
	CHECK(hipDestroySurfaceObject(surfaces[0]));
	CHECK(hipDestroySurfaceObject(surfaces[1]));
	return found == expected;
}

// A texture's descriptor, of which the type is that of a cube.
__global__ void make_cube(const unsigned *from, unsigned *to)
{
	int i = threadIdx.x;

	to[i] = i == 3 ? (from[i] & 0x0fffffff) | 11u << 28 : from[i];
}

// HIP has no cubes, and nor has the device.
static bool missing()
{
	const int words = 20; // the image's, the sampler's and what lies between them
	std::vector<float> from = pattern<float>(64);
	Image<float> image(from, 8, 8, way(hipFilterModePoint, hipAddressModeClamp, false));
	unsigned *descriptor;

	CHECK(hipMalloc(&descriptor, words * sizeof(*descriptor)));
	make_cube<<<1, words>>>((const unsigned *)image.texture, descriptor);
	samples<float>((hipTextureObject_t)descriptor, {{0.5f, 0.5f}});
	return false;
}

static const struct {
	const char *name;
	bool (*run)();
} programs[] = {
	{"formats", formats}, {"filters", filters},   {"fractions", fractions}, {"buffers", buffers},
	{"lines", lines},     {"pitched", pitched},   {"surfaces", surfaces},	{"curves", curves},
	{"solids", solids},   {"solid_edges", solid_edges}, {"solid_surfaces", solid_surfaces}, {"layers", layers},
	{"missing", missing},
};

int main(int argc, char **argv)
{
	for (const auto &program : programs) {
		if (argc == 2 && !strcmp(argv[1], "--list"))
			printf("%s\n", program.name);
		if (argc != 2 || strcmp(argv[1], program.name))
			continue;
		bool fine = program.run();
		printf("%s: %s\n", program.name, fine ? "the same" : "differs");
		return fine ? 0 : 1;
	}
	return argc == 2 && !strcmp(argv[1], "--list") ? 0 : 2;
}
