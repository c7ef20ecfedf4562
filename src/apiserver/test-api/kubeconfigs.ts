/** Routes for kubeconfigs of users and ServiceAccounts, with which tests act as somebody other than the administrator. */

import { wrongField } from '../own-paths/errors.js'
import type { Schema } from '../own-paths/own-document.js'
import type { Kit } from './kit.js'
import { json, type Route } from './route.js'

const request: Schema = {
  title: 'KubeconfigRequest',
  type: 'object',
  additionalProperties: false,
  properties: {
    user: { type: 'string', maxLength: 256, description: 'The name of a user, who gets a client certificate.' },
    groups: { type: 'array', items: { type: 'string', maxLength: 256 }, description: 'The groups of the user.' },
    serviceAccount: {
      type: 'string',
      maxLength: 512,
      description: 'Namespace and name of a ServiceAccount, which gets a token: team/builder.'
    }
  }
}
const answer: Schema = {
  title: 'Kubeconfig',
  type: 'object',
  required: ['kubeconfig'],
  properties: { kubeconfig: { type: 'string', description: 'The text of the kubeconfig.' } }
}

export const kubeconfigRoutes = (kit: Kit): Route[] => [
  {
    method: 'POST',
    path: '/kubeconfigs',
    id: 'createKubeconfig',
    summary: 'Make a kubeconfig for a user or a ServiceAccount',
    body: request,
    answers: { 201: { description: 'The kubeconfig, which is kept nowhere.', schema: answer } },
    async handle({ body }) {
      const { user, groups, serviceAccount } = body as { user?: string; groups?: string[]; serviceAccount?: string }
      if (!user === !serviceAccount) throw wrongField('user', 'give either a user or a serviceAccount')
      if (serviceAccount && groups) throw wrongField('groups', 'a ServiceAccount has its groups')
      const of = serviceAccount ? { serviceAccount } : { user: user!, ...(groups ? { groups } : {}) }
      return json({ kubeconfig: await kit.kubeconfig(of) }, 201)
    }
  }
]
