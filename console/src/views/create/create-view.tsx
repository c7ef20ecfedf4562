import { useSignal } from '@preact/signals'
import { findKind } from '../../api/discovery.js'
import { ApiError, messageOf } from '../../api/error.js'
import { features } from '../../api/features.js'
import { groupOf, objectPath, objectRoute } from '../../api/paths.js'
import type { AdmissionStep } from '../../api/recorded.js'
import { request } from '../../api/request.js'
import type { KubeObject, Resource, StatusCause } from '../../api/types.js'
import { parseAll, type YamlObject } from '../../edit/yaml-text.js'
import { namespace } from '../../preferences.js'
import { AdmissionSteps } from '../../ui/admission-steps.js'
import { Check } from '../../ui/check.js'
import { Editor } from '../../ui/editor/editor.js'
import { Problem } from '../../ui/problem.js'

interface Outcome {
  readonly title: string
  readonly link: string | undefined
  readonly error: unknown
}

const example = `apiVersion: v1
kind: ConfigMap
metadata:
  name: example
data:
  key: value
`

/** Applies objects that one writes or pastes: server-side apply, whose conflicts name the other managers. */
export function CreateView() {
  const text = useSignal(example)
  const force = useSignal(false)
  const outcomes = useSignal<readonly Outcome[]>([])
  const error = useSignal<unknown>(undefined)
  const admission = useSignal<readonly Admission[]>([])
  const apply = async (dryRun: boolean) => {
    error.value = undefined
    outcomes.value = []
    admission.value = []
    try {
      for (const object of parseAll(text.value)) {
        const outcome = await applyOne(object, dryRun, force.value)
        outcomes.value = [...outcomes.value, outcome]
      }
    } catch (reason) {
      error.value = reason
    }
  }
  const explain = async () => {
    error.value = undefined
    outcomes.value = []
    admission.value = []
    try {
      for (const { object } of parseAll(text.value)) admission.value = [...admission.value, await explainAdmission(object)]
    } catch (reason) {
      error.value = reason
    }
  }
  const hasConflict = outcomes.value.some(({ error }) => error instanceof ApiError && error.code === 409)
  return (
    <div class="page object-page">
      <div class="page-head">
        <h1>Apply</h1>
        <span class="quiet">Objects of any kind, separated by ---</span>
      </div>
      <div class="toolbar">
        <button type="button" class="primary" onClick={() => void apply(false)}>
          Apply
        </button>
        <button type="button" onClick={() => void apply(true)}>
          Try (dry run)
        </button>
        {features.value.explain && (
          <button type="button" onClick={() => void explain()}>
            What admission does
          </button>
        )}
        {hasConflict && <Check label="Take fields over from others" value={force} />}
      </div>
      {error.value !== undefined && <Problem error={error.value} />}
      {outcomes.value.length > 0 && (
        <ul role="status" class="outcomes">
          {outcomes.value.map(({ title, link, error }) => (
            <li key={title}>
              {error === undefined ? (
                <span class="good">{link ? <a href={link}>{title}</a> : title}</span>
              ) : (
                <>
                  {title} <Refusal error={error} />
                </>
              )}
            </li>
          ))}
        </ul>
      )}
      {admission.value.map(({ title, status, message, steps }) => (
        <section key={title} class={`answer ${status < 400 ? 'allowed' : 'refused'}`} aria-label={title}>
          <h2>
            {title} {status < 400 ? 'passes' : `is refused with ${status}`}
          </h2>
          {message && <p>{message}</p>}
          <AdmissionSteps steps={steps} />
        </section>
      ))}
      <Editor
        label="Objects to apply"
        text={text.value}
        onChange={value => {
          text.value = value
        }}
      />
    </div>
  )
}

interface Admission {
  readonly title: string
  readonly status: number
  readonly message?: string
  readonly steps: readonly AdmissionStep[]
}

/** Asks what admission would do with an apply, which is a dry run. */
async function explainAdmission(object: YamlObject['object']): Promise<Admission> {
  const explained = await request<Omit<Admission, 'title'>>('/binnacle/v1/explain/admission', {
    method: 'POST',
    body: { operation: 'apply', object, namespace: namespace.value || 'default', fieldManager: 'binnacle-console' }
  })
  return { ...explained, title: `${object.kind} ${object.metadata?.name ?? ''}` }
}

async function applyOne({ object, text }: YamlObject, dryRun: boolean, force: boolean): Promise<Outcome> {
  const name = object.metadata?.name ?? ''
  const title = `${object.kind ?? 'An object without kind'} ${name}`
  const resource = findKind(groupOf({ apiVersion: object.apiVersion ?? '' }), object.kind ?? '')
  if (!resource)
    return { title, link: undefined, error: new Error(`The server has no kind ${object.kind} in ${object.apiVersion}.`) }
  const inNamespace = resource.namespaced ? (object.metadata?.namespace ?? (namespace.value || 'default')) : ''
  try {
    await request<KubeObject>(objectPath(versionOf(resource, object), inNamespace, name), {
      method: 'PATCH',
      contentType: 'application/apply-patch+yaml',
      query: { fieldManager: 'binnacle-console', fieldValidation: 'Strict', dryRun: dryRun ? 'All' : undefined, force },
      body: text
    })
    return {
      title: `${title} ${dryRun ? 'would be applied' : 'is applied'}`,
      link: dryRun ? undefined : objectRoute(resource, inNamespace, name),
      error: undefined
    }
  } catch (error) {
    return { title, link: undefined, error }
  }
}

/** The resource in the version that an object is written in. */
const versionOf = (resource: Resource, { apiVersion = '' }: YamlObject['object']): Resource => ({
  ...resource,
  version: apiVersion.slice(apiVersion.indexOf('/') + 1)
})

/** Conflicts by manager: the server's causes say which field belongs to whom. */
function Refusal({ error }: { error: unknown }) {
  const causes = error instanceof ApiError && error.code === 409 ? (error.status?.details?.causes ?? []) : []
  if (causes.length === 0) return <Problem error={error} />
  const byManager = new Map<string, StatusCause[]>()
  for (const cause of causes) {
    const manager = cause.message ?? ''
    byManager.set(manager, [...(byManager.get(manager) ?? []), cause])
  }
  return (
    <div class="problem" role="alert">
      <p>{messageOf(error).split(':')[0]}: others own these fields.</p>
      {[...byManager].map(([manager, own]) => (
        <p key={manager}>
          {manager}: {own.map(({ field }) => field).join(', ')}
        </p>
      ))}
    </div>
  )
}
