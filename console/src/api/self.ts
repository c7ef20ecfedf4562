import { request } from './request.js'
import { type Self, self } from './session.js'

/** Asks the server who one is (SelfSubjectReview). */
export async function readSelf(): Promise<void> {
  const { status } = await request<{ status?: { userInfo?: Self } }>('/apis/authentication.k8s.io/v1/selfsubjectreviews', {
    method: 'POST',
    body: { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' }
  })
  self.value = status?.userInfo
}
