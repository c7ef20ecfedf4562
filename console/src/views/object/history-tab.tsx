import { useSignal } from '@preact/signals'
import { objectAt, type Version, versionsOf } from '../../api/history.js'
import { objectPath } from '../../api/paths.js'
import { ask } from '../../api/request.js'
import type { KubeObject } from '../../api/types.js'
import { editable, withChanges, yamlOf } from '../../edit/yaml-text.js'
import { Age } from '../../ui/age.js'
import { useLoad } from '../../ui/load.js'
import { Problem } from '../../ui/problem.js'
import { Difference } from './difference.js'
import { EditObject } from './edit-object.js'
import type { TabProps } from './tab.js'

/** The object's past: a slider through its versions, with who made each and what it changed. */
export function HistoryTab({ resource, object }: TabProps) {
  const { name, namespace = '', resourceVersion } = object.metadata
  const chosen = useSignal(0)
  const draft = useSignal<{ text: string; base: string } | undefined>(undefined)
  const { value, error } = useLoad(signal => allVersions(resource, namespace, name, signal), [resourceVersion])
  // the slider goes from the past to the present
  const versions = value?.versions ?? []
  const index = Math.max(0, versions.length - 1 - chosen.value)
  const version = versions[index]
  const before = versions[index - 1]
  const texts = useLoad(
    async signal => {
      if (!version) return undefined
      const read = async (of: Version | undefined) =>
        !of || of.change === 'deleted' ? '' : formerText(await objectAt(resource, namespace, name, of.resourceVersion, signal))
      const [earlier, later] = await Promise.all([read(before), read(version)])
      return { earlier, later }
    },
    [version?.resourceVersion]
  )
  if (error) return <Problem error={error} />
  if (!value || !version) return <p class="quiet">{value ? 'No version is known.' : 'Loading …'}</p>
  if (draft.value)
    return (
      <EditObject
        resource={resource}
        base={draft.value.base}
        draft={draft.value.text}
        current={draft.value.base}
        object={object}
        onDone={() => {
          draft.value = undefined
        }}
      />
    )
  const bringBack = async () => {
    const current = editable(await (await ask(objectPath(resource, namespace, name), { accept: 'application/yaml' })).text())
    draft.value = { base: current, text: asUpdate(texts.value?.later ?? '', object) }
  }
  return (
    <>
      <div class="slider">
        <label for="version">
          {index + 1} of {versions.length}
        </label>
        <input
          id="version"
          type="range"
          min={0}
          max={versions.length - 1}
          value={index}
          aria-valuetext={describe(version)}
          onInput={event => {
            chosen.value = versions.length - 1 - event.currentTarget.valueAsNumber
          }}
        />
      </div>
      <p>
        <strong>{version.change}</strong> by <strong>{version.user ?? 'the server'}</strong>
        {version.manager && <span class="quiet"> as {version.manager}</span>}
        {version.subresource && <span class="quiet"> ({version.subresource})</span>}
        {version.time && (
          <>
            , <Age since={version.time} /> ago <span class="quiet">at {version.time}</span>
          </>
        )}
        <span class="quiet">, version {version.resourceVersion}</span>
      </p>
      {texts.error !== undefined && <Problem error={texts.error} />}
      {texts.value && (
        <>
          {index < versions.length - 1 && texts.value.later && resource.verbs.includes('update') && (
            <p>
              <button type="button" onClick={() => void bringBack()}>
                Bring this version back …
              </button>
            </p>
          )}
          <Difference label="What this version changed" before={texts.value.earlier} after={texts.value.later} />
        </>
      )}
      <p class="quiet">
        {value.since && `The history begins at ${value.since}.`} {value.note}
      </p>
    </>
  )
}

const describe = ({ change, user, time }: Version): string => `${change}${user ? ` by ${user}` : ''}${time ? ` at ${time}` : ''}`

/** What each version changes, its number, says nothing. */
const formerText = ({ metadata: { resourceVersion, managedFields, ...metadata }, ...object }: KubeObject): string =>
  yamlOf({ ...object, metadata })

/** As many versions as a slider can tell apart. */
const most = 500

async function allVersions(resource: TabProps['resource'], namespace: string, name: string, signal: AbortSignal) {
  const versions: Version[] = []
  let after = ''
  for (;;) {
    const page = await versionsOf(resource, namespace, name, after, signal)
    versions.push(...page.versions)
    after = page.continue ?? ''
    if (!after || versions.length >= most) return { versions: versions.reverse(), ...page.history }
  }
}

/** The text of a former version as an update of the present object: what the server keeps is the present one's. */
function asUpdate(text: string, { metadata }: TabProps['object']): string {
  return withChanges(
    text,
    (['resourceVersion', 'uid', 'creationTimestamp', 'generation'] as const).map(field => ({
      path: ['metadata', field],
      value: (metadata as unknown as Record<string, unknown>)[field]
    }))
  )
}
