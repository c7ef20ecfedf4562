import { useSignal } from '@preact/signals'
import { type Question, qualifiedName, routeOf } from '../../api/access-question.js'
import { resources } from '../../api/discovery.js'
import { Check } from '../../ui/check.js'
import { type MayDo, mayDo } from './explained.js'

const marks = { yes: '●', some: '◐', no: '·' }
const words = { yes: 'yes', some: 'for some names', no: 'no' }

/** All kinds and verbs, with what a user may. Each field leads to its explanation. */
export function Matrix({ question, may, verbs }: { question: Question; may: MayDo; verbs: readonly string[] }) {
  const text = useSignal('')
  const onlyAllowed = useSignal(false)
  const { user, groups, namespace } = question
  const rows = (resources.value ?? [])
    .filter(resource => qualifiedName(resource).includes(text.value.toLowerCase()))
    .map(resource => ({
      resource,
      cells: verbs.map(verb => ({
        verb,
        may: resource.verbs.includes(verb) ? mayDo(may.resourceRules, verb, resource.group, resource.name) : undefined
      }))
    }))
    .filter(({ cells }) => !onlyAllowed.value || cells.some(({ may }) => may === 'yes' || may === 'some'))
  return (
    <>
      <h2>
        What {user || 'you'} may in namespace {namespace || 'default'}
      </h2>
      <div class="toolbar">
        <input
          type="search"
          data-search
          aria-label="Filter kinds"
          placeholder="Filter kinds  /"
          value={text.value}
          onInput={event => {
            text.value = event.currentTarget.value
          }}
        />
        <Check label="Only what is allowed" value={onlyAllowed} />
      </div>
      {may.incomplete && (
        <p class="warn">There may be more: {may.evaluationError || 'an authorizer of this server cannot list its rules'}.</p>
      )}
      <div class="scroll-x">
        <table class="simple-table matrix">
          <thead>
            <tr>
              <th scope="col">Kind</th>
              {verbs.map(verb => (
                <th key={verb} scope="col">
                  {verb}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ resource, cells }) => {
              const name = qualifiedName(resource)
              return (
                <tr key={name}>
                  <th scope="row">{name}</th>
                  {cells.map(({ verb, may }) => (
                    <td key={verb}>
                      {may && (
                        <a
                          class={may}
                          href={routeOf({
                            user,
                            groups,
                            verb,
                            resource: name,
                            namespace: resource.namespaced ? namespace || 'default' : ''
                          })}
                          aria-label={`${verb} ${name}: ${words[may]}`}
                          title={`${verb} ${name}: ${words[may]}. Why?`}
                        >
                          {marks[may]}
                        </a>
                      )}
                    </td>
                  ))}
                </tr>
              )
            })}
          </tbody>
        </table>
      </div>
    </>
  )
}
