import type { TokenReview, TokenReviewStatus } from '../../../apimachinery/api/generated/authentication-v1.js'
import { badRequest } from '../../../apimachinery/status/status.js'
import type { Services } from '../../../registry/services.js'
import { aggregateText } from '../../../util/go-format.js'
import type { Implementation } from '../implementation.js'
import { shownUser } from './self-subject-review.js'

/** Answers with the user of a token. */
export const tokenReview: Implementation = {
  async create({ operation: { services }, validateAdmission }, review: TokenReview) {
    if (!review.spec.token) throw badRequest('token is required for TokenReview in authentication')
    await validateAdmission(review)
    return { ...review, status: await reviewToken(review, services) }
  }
}

/** Returns the status. Fields of a status that the client has sent stay, unless the server sets them. */
async function reviewToken(
  { spec: { token = '', audiences: wanted = [] }, status: said }: TokenReview,
  { authenticator, apiAudiences }: Services
): Promise<TokenReviewStatus> {
  const { authenticated: _, ...rest } = said ?? { user: {} }
  const asked = wanted.length > 0 ? wanted : apiAudiences
  const found = await authenticator.reviewToken(token, asked)
  if ('problems' in found) {
    return { ...rest, ...(found.problems.length === 0 ? {} : { error: aggregateText(found.problems) }) }
  }
  // a token without audiences is meant for the API server, by any of its audiences
  const audiences = asked.filter(audience => (found.audiences ?? apiAudiences).includes(audience))
  if (audiences.length === 0) return { ...rest, error: 'invalid bearer token' }
  return { ...rest, authenticated: true, user: shownUser(found.user), audiences }
}
