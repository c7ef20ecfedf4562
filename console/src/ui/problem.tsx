import { questionOfRefusal, routeOf } from '../api/access-question.js'
import { ApiError, messageOf } from '../api/error.js'

/** Shows an error, and what one can do about it. */
export function Problem({ error, retry }: { error: unknown; retry?: (() => void) | undefined }) {
  const causes = error instanceof ApiError ? (error.status?.details?.causes ?? []) : []
  const refused = questionOfRefusal(error)
  return (
    <div class="problem" role="alert">
      <p>{messageOf(error)}</p>
      {causes.length > 1 && (
        <ul>
          {causes.map(({ field, message }) => (
            <li key={`${field}${message}`}>
              {field && <code>{field}</code>} {message}
            </li>
          ))}
        </ul>
      )}
      {refused && (
        <p>
          <a href={routeOf(refused)}>Why?</a>
        </p>
      )}
      {retry && (
        <button type="button" onClick={retry}>
          Try again
        </button>
      )}
    </div>
  )
}
