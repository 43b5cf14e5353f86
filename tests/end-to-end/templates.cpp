/* SPDX-License-Identifier: MIT */
/* Kernels that write where nothing is. */
namespace lib
{
/* One template, two kernels: they are the same but for their names. */
template <typename T>
__attribute__((amdgpu_kernel, visibility("protected"))) void
writes(__attribute__((address_space(1))) T *out)
{
	out[1 << 20] = T();
}

template void writes<float>(__attribute__((address_space(1))) float *);
template void writes<int>(__attribute__((address_space(1))) int *);
} // namespace lib

/* A function writes that is called, and not inlined. */
template <typename T>
__attribute__((noinline)) void stores(__attribute__((address_space(1))) T *out)
{
	out[1 << 20] = T();
}

extern "C" __attribute__((amdgpu_kernel, visibility("protected"))) void
calls(__attribute__((address_space(1))) int *out)
{
	stores(out);
	out[0] = 1;
}

/* Its name stands for one of a million million letters: pairs of pairs, 34 deep. */
extern "C" __attribute__((amdgpu_kernel, visibility("protected"))) void
named(__attribute__((address_space(1))) int *out) __asm__(
	"_Z1fSt4pairIiiES_IS0_S0_ES_IS1_S1_ES_IS2_S2_ES_IS3_S3_ES_IS4_S4_ES_IS5_S"
	"5_ES_IS6_S6_ES_IS7_S7_ES_IS8_S8_ES_IS9_S9_ES_ISA_SA_ES_ISB_SB_ES_ISC_SC_"
	"ES_ISD_SD_ES_ISE_SE_ES_ISF_SF_ES_ISG_SG_ES_ISH_SH_ES_ISI_SI_ES_ISJ_SJ_ES"
	"_ISK_SK_ES_ISL_SL_ES_ISM_SM_ES_ISN_SN_ES_ISO_SO_ES_ISP_SP_ES_ISQ_SQ_ES_I"
	"SR_SR_ES_ISS_SS_ES_IST_ST_ES_ISU_SU_ES_ISV_SV_ES_ISW_SW_E");
extern "C" __attribute__((amdgpu_kernel, visibility("protected"))) void
named(__attribute__((address_space(1))) int *out)
{
	out[1 << 20] = 1;
}
