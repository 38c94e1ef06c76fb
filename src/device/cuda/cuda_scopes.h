#pragma once
// States of the calling thread that one call changes and gives back.

#include "device/cuda/cuda_api.h"

namespace hk::device {

// Makes a context current for one call and restores the thread's own, or that it had none.
class CurrentContext {
 public:
  CurrentContext(const CudaApi& api, CUcontext context) : m_api(api) {
    CUcontext current = nullptr;
    if (m_api.context_current(&current) == CUDA_SUCCESS && current == context)
      return;
    m_error = m_api.context_push(context);
    m_pushed = m_error == CUDA_SUCCESS;
  }
  ~CurrentContext() {
    CUcontext popped = nullptr;
    if (m_pushed)
      (void)m_api.context_pop(&popped);
  }
  CurrentContext(const CurrentContext&) = delete;
  CurrentContext& operator=(const CurrentContext&) = delete;

  [[nodiscard]] CUresult error() const { return m_error; }

 private:
  const CudaApi& m_api;
  CUresult m_error = CUDA_SUCCESS;
  bool m_pushed = false;
};

// While it lives, calls of this thread that a capture cannot see are neither refused because of a capture elsewhere nor
// break it.
class RelaxedCapture {
 public:
  explicit RelaxedCapture(const CudaApi& api) : m_api(api) { (void)m_api.exchange_capture_mode(&m_mode); }
  ~RelaxedCapture() { (void)m_api.exchange_capture_mode(&m_mode); }
  RelaxedCapture(const RelaxedCapture&) = delete;
  RelaxedCapture& operator=(const RelaxedCapture&) = delete;

 private:
  const CudaApi& m_api;
  CUstreamCaptureMode m_mode = CU_STREAM_CAPTURE_MODE_RELAXED; // after the exchange: what it was before
};

} // namespace hk::device
