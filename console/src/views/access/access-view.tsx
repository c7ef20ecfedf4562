import { useSignal } from '@preact/signals'
import { type Question, qualifiedName, questionOf, requestText, routeOf } from '../../api/access-question.js'
import { resources } from '../../api/discovery.js'
import { impersonated } from '../../api/session.js'
import { address, go } from '../../router.js'
import { useLoad } from '../../ui/load.js'
import { Problem } from '../../ui/problem.js'
import { Answer } from './answer.js'
import { explain, knownUsers, rulesOf } from './explained.js'
import { Matrix } from './matrix.js'

const verbs = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'deletecollection']

/** Who may do what, and why. The address of the page is the question. */
export function AccessView() {
  const question = questionOf(address.value.query)
  // grows when something was created that changes what one may
  const round = useSignal(0)
  const isComplete = question.verb !== '' && (question.resource !== '' || question.path !== '')
  return (
    <div class="page">
      <div class="page-head">
        <h1>Who may do what</h1>
        {question.user && (
          <button
            type="button"
            onClick={() => {
              impersonated.value = { user: question.user, groups: question.groups }
              go('/console/')
            }}
          >
            See the console as {question.user}
          </button>
        )}
      </div>
      <QuestionForm key={address.value.query.toString()} question={question} />
      {isComplete && <Asked key={routeOf(question)} question={question} onChange={() => round.value++} />}
      <Rules key={`${question.user}/${question.groups}/${question.namespace}/${round.value}`} question={question} />
    </div>
  )
}

function QuestionForm({ question }: { question: Question }) {
  const users = useLoad(knownUsers, []).value ?? []
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    const data = new FormData(event.currentTarget as HTMLFormElement)
    const query = new URLSearchParams()
    for (const [name, value] of data) if (typeof value === 'string' && value.trim()) query.set(name, value.trim())
    // a path outside of the API begins with a slash
    const resource = query.get('resource')
    if (resource?.startsWith('/')) {
      query.delete('resource')
      query.set('path', resource)
    }
    go(`/console/access?${query}`)
  }
  return (
    <form class="question" onSubmit={submit}>
      <label>
        User
        <input name="user" list="users" placeholder="you" defaultValue={question.user} spellcheck={false} autocapitalize="off" />
      </label>
      <label>
        Groups
        <input name="groups" placeholder="dev, ops" defaultValue={question.groups.join(', ')} spellcheck={false} />
      </label>
      <label>
        may
        <input name="verb" list="verbs" placeholder="create" defaultValue={question.verb} spellcheck={false} />
      </label>
      <label>
        what
        <input
          name="resource"
          list="resources"
          placeholder="pods"
          defaultValue={question.resource || question.path}
          spellcheck={false}
        />
      </label>
      <label>
        named
        <input name="name" placeholder="any" defaultValue={question.name} spellcheck={false} />
      </label>
      <label>
        in namespace
        <input name="namespace" placeholder="all" defaultValue={question.namespace} spellcheck={false} />
      </label>
      <button type="submit" class="primary">
        Ask
      </button>
      <datalist id="users">
        {users.map(user => (
          <option key={user} value={user} />
        ))}
      </datalist>
      <datalist id="verbs">
        {verbs.map(verb => (
          <option key={verb} value={verb} />
        ))}
      </datalist>
      <datalist id="resources">
        {resources.value?.map(resource => {
          const name = qualifiedName(resource)
          return <option key={name} value={name} />
        })}
      </datalist>
    </form>
  )
}

function Asked({ question, onChange }: { question: Question; onChange(): void }) {
  const { value, error, reload } = useLoad(signal => explain(question, signal), [routeOf(question)])
  if (error) return <Problem error={error} retry={reload} />
  if (!value) return <p class="quiet">Asking …</p>
  return (
    <Answer
      title={`${question.user || 'You'} may ${value.allowed ? '' : 'not '}${requestText(question)}`}
      explained={value}
      onChange={() => {
        reload()
        onChange()
      }}
    />
  )
}

function Rules({ question }: { question: Question }) {
  const { value, error } = useLoad(signal => rulesOf(question, signal), [])
  if (error) return <Problem error={error} />
  if (!value) return null
  return <Matrix question={question} may={value} verbs={verbs} />
}
