/** The object of a request between the mutations of its policies. */
import { strictFieldErrors } from '../../apimachinery/formats/strict-fields.js'
import { converted } from '../../apimachinery/patch/conversion.js'
import { DecodeError, decode } from '../../apimachinery/schema/decode.js'
import { internalError } from '../../apimachinery/status/status.js'
import { exactJson } from '../../util/exact-json.js'
import { goQuote } from '../../util/go-format.js'
import { cloneJson, type JsonObject } from '../../util/json.js'
import type { AdmissionAttributes } from '../admission.js'
import { identified, identity } from '../changed-kind.js'
import { replaceObject } from '../changed-object.js'
import { isSame, requestedResource } from '../matching/rules.js'
import { inVersionOf, isScale, isUnstructured, kindOf, type ServedResource, typeOf } from '../matching/served-resource.js'
import type { TypeMeta } from '../type-meta.js'
import { MutationError } from './mutation-error.js'

/** A custom resource as patches have made it. */
interface Document {
  readonly object: JsonObject
  readonly target: ServedResource
}

/**
 * An object of a built-in kind becomes the object of the request with each mutation. A custom resource stays the document that patches have made of it:
 * kube-apiserver finds out about its fields, its kind and its version after the last policy.
 */
export class MutatedObject {
  readonly #attributes: AdmissionAttributes
  #document: Document | undefined

  constructor(attributes: AdmissionAttributes) {
    this.#attributes = attributes
  }

  /** Returns the object and the old one in the version of `target`; null where there is none. Throws a StatusError. */
  async shownAs(target: ServedResource): Promise<{ object: any; oldObject: any }> {
    if (this.#document && !isSame(target, this.#document.target)) await this.settle()
    const shown = await inVersionOf(this.#attributes, target, 'admit')
    return this.#document ? { ...shown, object: this.#document.object } : shown
  }

  /** Takes what a JSON Patch has made of the object. Throws a MutationError, and a StatusError for what cannot be decoded. */
  async takePatched(target: ServedResource, patched: JsonObject): Promise<void> {
    const { resource, subresource } = this.#attributes
    const { kind, apiVersion } = identity(this.#attributes, target, patched)
    if (isUnstructured(resource, subresource)) return this.#takeDocument(target, patched)
    refuseUnconvertible(this.#attributes, target, { kind, apiVersion })
    const sent = identified(this.#attributes, target, kind, apiVersion)
    const type = 'error' in sent ? sent.type : typeOf(sent, subresource)
    const decoded = decodedStrictly(type, { ...patched, kind, apiVersion })
    if ('error' in sent) throw internalError(`failed to convert object: ${sent.error.message}`)
    await replaceObject(this.#attributes, target, decoded)
  }

  /** Takes what an apply configuration has made of the object. Throws a MutationError. */
  async takeApplied(target: ServedResource, applied: JsonObject): Promise<void> {
    const { resource, subresource } = this.#attributes
    if (isUnstructured(resource, subresource)) return this.#takeDocument(target, applied)
    refuseUnconvertible(this.#attributes, target)
    await replaceObject(this.#attributes, target, typed(target, subresource, applied))
  }

  #takeDocument(target: ServedResource, object: JsonObject): void {
    const { resource, context } = this.#attributes
    resource.kind.strategy?.defaultApplied?.(object as any, context)
    this.#document = { object, target }
  }

  /** Makes the document the object of the request. Throws a StatusError. */
  async settle(): Promise<void> {
    if (!this.#document) return
    const { object, target } = this.#document
    this.#document = undefined
    const { kind, apiVersion } = identity(this.#attributes, target, object)
    // it is converted into the version of the request, whatever the policy has seen
    const sent = identified(this.#attributes, requestedResource(this.#attributes), kind, apiVersion)
    if ('error' in sent) throw internalError(`failed to convert object: ${sent.error.message}`)
    await replaceObject(this.#attributes, sent, object)
  }
}

/**
 * kube-apiserver converts between two versions of a built-in kind through its internal version, which it does not use here. The scale of a custom resource
 * has become a document, which its converter of custom resources refuses.
 */
function refuseUnconvertible(attributes: AdmissionAttributes, target: ServedResource, patched?: TypeMeta): void {
  const { resource, subresource, context } = attributes
  const { kind, custom } = resource.kind
  if (custom && isScale(resource, subresource)) {
    const { group, version } = kindOf(target, subresource)
    const own = `${group}/${version}`
    const [otherVersion = '', otherGroup = ''] = (patched?.apiVersion ?? own).split('/').reverse()
    const other = `${otherGroup}/${otherVersion}, Kind=${patched?.kind}`
    if (otherGroup === group) throw new MutationError(`request to convert CR to an invalid group/version: ${own}`)
    throw new MutationError(`${other} is unstructured and is not suitable for converting to ${goQuote(own)}`)
  }
  if (!isSame(target, requestedResource(attributes)))
    throw new MutationError(`converting (${target.version}.${kind}) to (${context.version}.${kind}): unknown conversion`)
}

function decodedStrictly(type: Parameters<typeof decode>[0], document: JsonObject): any {
  try {
    const { object, hasUnknown } = decode(type, document)
    if (hasUnknown) throw internalError(`strict decoding error: ${strictFieldErrors(exactJson(document), type).join(', ')}`)
    return object
  } catch (error) {
    throw error instanceof DecodeError ? internalError(error.message) : error
  }
}

function typed(target: ServedResource, subresource: string, mutated: JsonObject): any {
  try {
    return converted(typeOf(target, subresource), cloneJson(mutated)).object
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error
    const { group, version, kind } = kindOf(target, subresource)
    throw new MutationError(`unable to convert unstructured object to ${group}/${version}, Kind=${kind}: ${error.message}`)
  }
}
