/** Objects with nothing but their metadata (PartialObjectMetadata). */
export function partialObject(object: any, version = 'v1'): unknown {
  return { kind: 'PartialObjectMetadata', apiVersion: `meta.k8s.io/${version}`, metadata: object.metadata }
}
