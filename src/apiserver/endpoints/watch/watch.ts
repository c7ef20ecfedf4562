/** WATCH: events of the cache as a stream of JSON or CBOR documents, or Protobuf frames. */

import { acceptsGzip } from '../../../apimachinery/formats/compress.js'
import { cborSequence, type OutputForm } from '../../../apimachinery/formats/negotiate.js'
import { includeOption } from '../../../apimachinery/formats/table.js'
import type { Response, Sink } from '../../../apimachinery/request/message.js'
import { orderParameter, wrongParameter } from '../../../apimachinery/request/query-parameters.js'
import { isTrue } from '../../../apimachinery/request/request-info.js'
import { badRequest, plainError, StatusError } from '../../../apimachinery/status/status.js'
import { fixedValue } from '../../../registry/query/plan.js'
import { type Endpoint, type EndpointRequest, requestedForm } from '../endpoint.js'
import { type ListOptions, listOptions } from '../read/list-options.js'
import { planWith, watchMatcher } from '../read/query-page.js'
import { readVersion, waitForVersion } from '../read/resource-version.js'
import { selectionOf } from '../read/select.js'
import { shardsOf } from '../read/shards.js'
import { isProtobuf } from './frames.js'
import { gzipSink } from './gzip-sink.js'
import { type WatchOptions, WatchStream } from './stream.js'
import { heldBytes } from './watch-budget.js'

/** Keeps below the longest timer of Node, 24 days. */
const maxTimeoutSeconds = 2_000_000

export const watch: Endpoint = async request => {
  const { context, resource, server } = request
  const { features } = server.services
  // a media type unfit for any answer is refused before the parameters, one unfit for a stream after them
  requestedForm(request)
  // on the deprecated /watch/ paths, parameters are validated as a list's unless the query has watch=true too
  const given = listOptions(context, resource, isTrue(context.query.get('watch')) ? features : undefined)
  const byFields = selectionOf(given)
  if (context.info.parts.length > 1 && given.fields.length > 0 && byFields.name !== context.info.name)
    throw badRequest("fieldSelector metadata.name doesn't match requested name")
  const shards = shardsOf(given, features)
  const selection = shards ? selectionOf(given, shards) : byFields
  if (given.order) throw wrongParameter(orderParameter, given.order.text, 'a watch has no order')
  const options = watchOptions(given)
  const form = requestedForm(request, { watch: true })
  if (form.transform === 'Table') includeOption(context)
  context.onEnd(server.watchBudget.hold(context.user.name, heldBytes(context, given)))
  const { name, namespace } = context.info
  const named = name !== '' ? name : selection.name
  const prefix = resource.namespaced && namespace !== '' ? `${namespace}/` : ''
  const key = named !== undefined && (prefix !== '' || !resource.namespaced) ? prefix + named : undefined
  const failure = await failureOfVersion(request, options)
  // only watches that stand for a list are worth it, and messages of WebSocket are not compressed
  const gzips =
    options.initialEvents === true &&
    options.bookmarks &&
    context.request.upgrade === undefined &&
    acceptsGzip(context.header('accept-encoding')) &&
    features.enabled('WatchListCompression')
  const headers = {
    'content-type': streamType(form),
    ...(gzips && { 'content-encoding': 'gzip', vary: 'Accept-Encoding' })
  }
  const stream = (sink: Sink) => {
    // no event can be encoded in this form: the first one would end the stream
    if (form.transform === 'PartialObjectMetadataList') return sink.end()
    const matches = watchMatcher(request, selection, given)
    const fixed = selection.indexed ?? fixedValue(given.filter?.plan)
    new WatchStream({
      request,
      form,
      matches,
      fixed,
      plan: planWith(selection, given.filter?.plan),
      isFiltered: given.filter !== undefined,
      sink: gzips ? gzipSink(sink) : sink,
      options,
      namespace,
      key,
      prefix
    }).start(failure)
  }
  return { status: 200, headers, stream } satisfies Response
}

/**
 * Waits for the version of a watch that stands for a list: another server may have returned it already, and the answer begins when it has come.
 * A watch without initial events begins at once and skips the events up to its version. Returns the error with which the watch ends if it does not come.
 */
async function failureOfVersion(
  request: EndpointRequest,
  { revision, initialEvents }: WatchOptions
): Promise<StatusError | undefined> {
  if (!initialEvents || revision === undefined || revision <= request.resource.cache.revision) return undefined
  try {
    await waitForVersion(request, revision)
    return undefined
  } catch (error) {
    if (error instanceof StatusError) return error
    throw error
  }
}

/** A client that accepts a document in CBOR gets a sequence of them. */
const streamType = (form: OutputForm): string =>
  isProtobuf(form) ? `${form.mediaType};stream=watch` : form.mediaType === 'application/cbor' ? cborSequence : form.mediaType

function watchOptions(given: ListOptions): WatchOptions {
  const { resourceVersion: version, timeoutSeconds } = given
  const revision = version === '' ? undefined : readVersion(version)
  if (typeof revision === 'string') throw plainError(revision)
  return {
    revision,
    timeoutMs: Math.min(Math.max(0, timeoutSeconds), maxTimeoutSeconds) * 1000,
    bookmarks: given.allowWatchBookmarks,
    initialEvents: given.sendInitialEvents
  }
}
