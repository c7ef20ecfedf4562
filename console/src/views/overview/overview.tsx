import { resources } from '../../api/discovery.js'
import { request } from '../../api/request.js'
import { config } from '../../api/session.js'
import { isListed } from '../../shell/navigation.js'
import { useLoad } from '../../ui/load.js'

interface Review {
  status?: { userInfo?: { username?: string; groups?: string[] } }
}

/** The first page: which server this is, who one is, and where to begin. */
export function Overview() {
  const version = useLoad(signal => request<{ gitVersion: string; platform: string }>('/version', { signal }), [])
  const me = useLoad(readMe, [])
  const user = me.value?.status?.userInfo
  return (
    <div class="page">
      <div class="page-head">
        <h1>{config.value?.name}</h1>
      </div>
      <dl class="facts">
        <dt>Kubernetes</dt>
        <dd>{version.value?.gitVersion ?? '–'}</dd>
        <dt>Console</dt>
        <dd>{config.value?.version}</dd>
        <dt>You</dt>
        <dd>
          {user?.username ?? '–'} {user?.groups && <span class="quiet">{user.groups.join(', ')}</span>}
        </dd>
        <dt>Kinds</dt>
        <dd>{resources.value?.filter(isListed).length}</dd>
      </dl>
      <p class="quiet">
        <kbd>Ctrl K</kbd> goes to any kind, <kbd>/</kbd> filters a list, arrow keys and Enter walk through it.
      </p>
    </div>
  )
}

const readMe = (signal: AbortSignal) =>
  request<Review>('/apis/authentication.k8s.io/v1/selfsubjectreviews', {
    method: 'POST',
    body: { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' },
    signal
  })
