import { useSignal } from '@preact/signals'
import { findResource } from '../../api/discovery.js'
import { type KindSchema, type Schema, schemaOf } from '../../api/openapi.js'
import { apiVersionOf, groupOfSegment, listRoute } from '../../api/paths.js'
import { typeText } from '../../edit/schema-text.js'
import { segments } from '../../router.js'
import { pluralOf } from '../../shell/navigation.js'
import { useLoad } from '../../ui/load.js'
import { Problem } from '../../ui/problem.js'

/** The fields of a kind as a tree, with what the server says of each: kubectl explain to look at. */
export function SchemaView() {
  const [, group = '', plural = ''] = segments.value
  const resource = findResource(groupOfSegment(group), plural)
  const { value, error } = useLoad(async () => (resource ? ((await schemaOf(resource)) ?? null) : null), [resource])
  if (!resource) return <p class="page">The server has no such kind, or you may not see it.</p>
  return (
    <div class="page">
      <nav class="crumbs" aria-label="Where this is">
        <a href={listRoute(resource)}>{pluralOf(resource)}</a>
      </nav>
      <div class="page-head">
        <h1>Fields of {resource.kind}</h1>
        <span class="quiet">{apiVersionOf(resource)}</span>
      </div>
      {error !== undefined && <Problem error={error} />}
      {value === null && <p class="quiet">The server does not describe this kind.</p>}
      {value && (
        <>
          <p class="description">{value.at([])?.description}</p>
          <ul class="schema">
            <Fields schema={value.at([])} kind={value} depth={0} />
          </ul>
        </>
      )}
    </div>
  )
}

/** The members of a schema: of an object, of the items of a list, of the values of a map. */
function membersOf(schema: Schema | undefined, kind: KindSchema): Schema | undefined {
  const resolved = kind.resolve(schema)
  if (resolved?.items) return membersOf(resolved.items, kind)
  if (typeof resolved?.additionalProperties === 'object') return membersOf(resolved.additionalProperties, kind)
  return resolved
}

function Fields({ schema, kind, depth }: { schema: Schema | undefined; kind: KindSchema; depth: number }) {
  const members = membersOf(schema, kind)
  return (
    <>
      {Object.entries(members?.properties ?? {}).map(([name, field]) => (
        <Field
          key={name}
          name={name}
          schema={field}
          kind={kind}
          depth={depth}
          isRequired={members?.required?.includes(name) ?? false}
        />
      ))}
    </>
  )
}

interface FieldProps {
  readonly name: string
  readonly schema: Schema
  readonly kind: KindSchema
  readonly depth: number
  readonly isRequired: boolean
}

/** One field. What is below it is drawn when it is opened, because schemas may contain themselves. */
function Field({ name, schema, kind, depth, isRequired }: FieldProps) {
  const isOpen = useSignal(depth === 0 && (name === 'spec' || name === 'status'))
  const resolved = kind.resolve(schema)
  const hasMembers = Object.keys(membersOf(schema, kind)?.properties ?? {}).length > 0
  const title = (
    <>
      <code class="key">{name}</code> <span class="type">{typeText(schema, kind)}</span>
      {isRequired && <span class="chip">required</span>} <Limits schema={resolved} />
    </>
  )
  if (!hasMembers)
    return (
      <li>
        {title}
        <Description schema={resolved} />
      </li>
    )
  return (
    <li>
      <details
        open={isOpen.value}
        onToggle={event => {
          isOpen.value = event.currentTarget.open
        }}
      >
        <summary>{title}</summary>
        <Description schema={resolved} />
        {isOpen.value && (
          <ul>
            <Fields schema={schema} kind={kind} depth={depth + 1} />
          </ul>
        )}
      </details>
    </li>
  )
}

const Description = ({ schema }: { schema: Schema | undefined }) =>
  schema?.description ? <p class="description">{schema.description}</p> : null

const shown = ['default', 'enum', 'pattern', 'minimum', 'maximum', 'minLength', 'maxLength', 'minItems', 'maxItems'] as const

function Limits({ schema }: { schema: Schema | undefined }) {
  const limits = shown.filter(name => schema?.[name] !== undefined).map(name => `${name} ${JSON.stringify(schema?.[name])}`)
  const rules = schema?.['x-kubernetes-validations'] as readonly { rule: string; message?: string }[] | undefined
  return (
    <span class="quiet">
      {limits.join(', ')}
      {rules?.map(({ rule, message }) => (
        <code key={rule} class="rule" title={message}>
          {rule}
        </code>
      ))}
    </span>
  )
}
