import { defineKind, type KubeObject } from 'binnacle'

/** A static site: its pages, served by nginx. */
export interface StaticSite extends KubeObject {
  spec: { pages: Record<string, string>; replicas?: number }
  status?: {
    conditions?: {
      type: string
      status: 'True' | 'False' | 'Unknown'
      reason: string
      message: string
      lastTransitionTime: string
    }[]
  }
}

export const site = defineKind<StaticSite>({
  group: 'NAME.example.com',
  kind: 'StaticSite',
  resource: 'staticsites',
  versions: [
    {
      name: 'v1',
      subresources: { status: {} },
      schema: {
        openAPIV3Schema: {
          type: 'object',
          required: ['spec'],
          properties: {
            spec: {
              type: 'object',
              required: ['pages'],
              properties: {
                pages: { type: 'object', minProperties: 1, additionalProperties: { type: 'string' } },
                replicas: { type: 'integer', minimum: 0, maximum: 20, default: 1 }
              }
            },
            status: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }
          }
        }
      }
    }
  ]
})
