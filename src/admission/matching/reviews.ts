import type { GroupResource } from '../../apimachinery/status/status.js'

const authentication = ['selfsubjectreviews', 'tokenreviews']
const authorization = ['localsubjectaccessreviews', 'selfsubjectaccessreviews', 'selfsubjectrulesreviews', 'subjectaccessreviews']

/** Whether a resource is a review of a user or a permission. No policy and no webhook may keep the cluster from answering these. */
export const isReview = ({ group, resource }: GroupResource): boolean =>
  (group === 'authentication.k8s.io' && authentication.includes(resource)) ||
  (group === 'authorization.k8s.io' && authorization.includes(resource))
