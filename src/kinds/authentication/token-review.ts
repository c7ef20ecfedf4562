import type { TokenReview, TokenReviewStatus } from '../../api/generated/authentication-v1.js'
import { defineKind } from '../../registry/kind.js'
import type { Services } from '../../registry/services.js'
import { badRequest } from '../../status/status.js'
import { aggregateText } from '../../util/go-format.js'
import { shownUser } from './self-subject-review.js'

export const tokenReview = defineKind<TokenReview>({
  group: 'authentication.k8s.io',
  kind: 'TokenReview',
  resource: 'tokenreviews',
  namespaced: false,
  versions: [{ name: 'v1', type: 'authentication.v1.TokenReview' }],
  virtual: {
    async create(review: TokenReview, { services }, judge) {
      if (!review.spec.token) throw badRequest('token is required for TokenReview in authentication')
      await judge(review)
      return { ...review, status: await reviewToken(review, services) }
    }
  }
})

/** What the client said of the token stays where the server finds nothing to say. */
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
  // a token that knows no audiences is for the API server, under each of its names
  const audiences = asked.filter(audience => (found.audiences ?? apiAudiences).includes(audience))
  if (audiences.length === 0) return { ...rest, error: 'invalid bearer token' }
  return { ...rest, authenticated: true, user: shownUser(found.user), audiences }
}
