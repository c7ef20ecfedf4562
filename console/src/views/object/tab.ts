import type { ComponentType } from 'preact'
import type { KubeObject, Resource } from '../../api/types.js'

export interface TabProps {
  readonly resource: Resource
  /** The present state: a tab is drawn anew with each change. */
  readonly object: KubeObject
}

export interface Tab {
  /** The last segment of its address. */
  readonly id: string
  readonly title: string
  /** Whether the tab has something to say about an object. */
  fits(resource: Resource, object: KubeObject): boolean
  readonly View: ComponentType<TabProps>
}
