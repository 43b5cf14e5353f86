/* SPDX-License-Identifier: MIT */
/* One template, two kernels: both write where nothing is, and are the same but for their names. */
namespace lib
{
template <typename T>
__attribute__((amdgpu_kernel, visibility("protected"))) void
writes(__attribute__((address_space(1))) T *out)
{
	out[1 << 20] = T();
}

template void writes<float>(__attribute__((address_space(1))) float *);
template void writes<int>(__attribute__((address_space(1))) int *);
} // namespace lib
