// SPDX-License-Identifier: MIT
// HIP programs of which the runtime gives a queue up before a wave runs, one for each name on the command line.
#include <hip/hip_runtime.h>
#include <hsa/hsa.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <unistd.h>

__global__ void scale(float *values, float by)
{
	values[threadIdx.x] *= by;
}

// Words that are an instruction of gfx1030, and of no GPU of gfx9.
__global__ void illegal(float *values, float by)
{
	values[threadIdx.x] *= by;
	asm volatile(".long 0xf4080100\n\t.long 0");
}

static int launch(void (*kernel)(float *, float) = scale)
{
	float *values;
	hipError_t error = hipMalloc(&values, 256);
	if (error != hipSuccess) {
		printf("hipMalloc: %d\n", error);
		return 3;
	}
	kernel<<<1, 64>>>(values, 2);
	error = hipDeviceSynchronize();
	printf("launch: %d\n", error);
	return error != hipSuccess;
}

// ---- Below HIP, as other runtimes use it ----

template <typename F> static F *find(F *, const char *name)
{
	void *library = dlopen("libhsa-runtime64.so.1", RTLD_NOW);
	F *found = (F *)dlsym(library, name);
	if (!found)
		exit(9);
	return found;
}
#define CALL(name) find((decltype(&name))nullptr, #name)

static hsa_status_t take_gpu(hsa_agent_t agent, void *data)
{
	hsa_device_type_t type;
	CALL(hsa_agent_get_info)(agent, HSA_AGENT_INFO_DEVICE, &type);
	if (type != HSA_DEVICE_TYPE_GPU)
		return HSA_STATUS_SUCCESS;
	*(hsa_agent_t *)data = agent;
	return HSA_STATUS_INFO_BREAK;
}

static std::atomic<int> told;

static void failed(hsa_status_t status, hsa_queue_t *queue, void *data)
{
	printf("told %s: 0x%x, %d\n", (const char *)data, status, queue->size);
	told = 1;
}

// A packet of a type that there is not. @callback: nobody is to be told where that is NULL.
static int send(void (*callback)(hsa_status_t, hsa_queue_t *, void *))
{
	static char data[] = "by its data";
	hsa_agent_t agent = {0};
	hsa_queue_t *queue;

	CALL(hsa_init)();
	CALL(hsa_iterate_agents)(take_gpu, &agent);
	// One that is gone before tells nobody.
	if (CALL(hsa_queue_create)(agent, 64, HSA_QUEUE_TYPE_MULTI, callback, data, 0, 0, &queue) ||
	    CALL(hsa_queue_destroy)(queue) ||
	    CALL(hsa_queue_create)(agent, 128, HSA_QUEUE_TYPE_MULTI, callback, data, 0, 0, &queue))
		return 9;
	uint64_t id = CALL(hsa_queue_add_write_index_screlease)(queue, 1);
	auto *header = (uint16_t *)((char *)queue->base_address + id % queue->size * 64);
	__atomic_store_n(header, 9, __ATOMIC_RELEASE);
	CALL(hsa_signal_store_screlease)(queue->doorbell_signal, id);
	for (int i = 0; i < 20 && !told; i++)
		usleep(100000);
	printf("end\n");
	return 0;
}

int main(int argc, char **argv)
{
	const char *name = argc > 1 ? argv[1] : "";
	int status = 2;
	if (!strcmp(name, "launch"))
		status = launch();
	else if (!strcmp(name, "illegal"))
		status = launch(illegal);
	else if (!strcmp(name, "packet"))
		status = send(failed);
	else if (!strcmp(name, "twice"))
		status = send(failed) || (told = 0, send(failed));
	else if (!strcmp(name, "silent"))
		status = send(nullptr);
	fflush(stdout);
	return status;
}
