/** Who may make a request, and through which bindings. */
import type { AuthorizationAttributes } from '../../apimachinery/request/authorization.js'
import { forbidden } from '../../apimachinery/status/status.js'
import { type AllowedSubject, allowedSubjects, unreadable } from '../../auth/authorization/rbac/grants.js'
import { rbacGroup } from '../../auth/authorization/rbac/group.js'
import type { ReadablePolicy } from '../../auth/authorization/rbac/readable-policy.js'
import { type ShownQuestion, shownQuestion } from './access.js'

export interface SubjectsExplanation {
  readonly question: Omit<ShownQuestion, 'user' | 'groups'>
  /** Sorted by kind and name. Those of RBAC alone. */
  readonly subjects: readonly AllowedSubject[]
  /** Who else may, although no binding says so. */
  readonly notes: readonly string[]
}

/** `others` are the names of authorizers that are asked beside RBAC. Rejects with a 403 unless all roles and bindings may be listed. */
export async function explainSubjects(
  policy: ReadablePolicy,
  question: AuthorizationAttributes,
  others: readonly string[]
): Promise<SubjectsExplanation> {
  const [first] = await unreadable(policy, question)
  if (first !== undefined)
    throw forbidden(
      { group: rbacGroup, resource: first.split(' ')[0]! },
      '',
      `who may do something is told to those who may list ${first}`
    )
  const { user: _, groups: __, ...shown } = shownQuestion(question)
  const notes = [
    'members of system:masters may do everything',
    ...(others.length === 0 ? [] : [`the authorizers ${others.join(', ')} may allow it to others: they do not list whom`])
  ]
  return { question: shown, subjects: await allowedSubjects(policy, question), notes }
}
