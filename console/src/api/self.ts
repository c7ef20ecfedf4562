import { request } from './request.js'
import { userName } from './session.js'

export interface Self {
  readonly username?: string
  readonly groups?: readonly string[]
}

/** Asks the server who one is (SelfSubjectReview). */
export async function readSelf(signal?: AbortSignal): Promise<Self> {
  const { status } = await request<{ status?: { userInfo?: Self } }>('/apis/authentication.k8s.io/v1/selfsubjectreviews', {
    method: 'POST',
    body: { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' },
    signal
  })
  const self = status?.userInfo ?? {}
  userName.value = self.username
  return self
}
