/** The answers of explanations as the document describes them; `explain.test.ts` holds what the server sends to them. */
import type { Schema } from '../own-paths/own-document.js'

const text = (description: string): Schema => ({ type: 'string', description })
const number = (description: string): Schema => ({ type: 'number', description })
const is = (description: string): Schema => ({ type: 'boolean', description })
const any = (description: string): Schema => ({ type: 'object', description, additionalProperties: true })
const list = (items: Schema, description: string): Schema => ({ type: 'array', items, description })
const texts = (description: string): Schema => ({ type: 'array', items: { type: 'string' }, description })

/** An object of which all fields are there but those of `optional`. */
const object = (
  title: string,
  fields: Readonly<Record<string, Schema>>,
  optional: Readonly<Record<string, Schema>> = {}
): Schema => ({
  title,
  type: 'object',
  required: Object.keys(fields),
  properties: { ...fields, ...optional },
  additionalProperties: false
})

const name = object(
  'Name',
  { kind: text('The kind.'), name: text('The name.') },
  { namespace: text('Missing outside of namespaces.') }
)
const rule = any('A PolicyRule, as roles have it.')
const aggregatedFrom = texts('The ClusterRoles from which an aggregated role has such a rule.')

const asked = {
  group: text('The API group.'),
  resource: text('The plural.'),
  subresource: text('Missing for the object itself.'),
  namespace: text('Missing for all namespaces, and outside of namespaces.'),
  name: text('Missing where no object is named.'),
  path: text('Instead of a resource.')
}
const verb = { verb: text('The verb.') }
const request = object('Request', { ...verb, user: text('The user.'), groups: texts('The groups of the user.') }, asked)
const requestOfAnybody = object('RequestOfAnybody', verb, asked)

const opinion = object(
  'Opinion',
  {
    type: text(
      'Node, RBAC, ABAC, Webhook, AlwaysAllow, AlwaysDeny; Privileged for system:masters, Program for those of the embedding program.'
    ),
    name: text('That of the configuration.'),
    opinion: {
      type: 'string',
      enum: ['allowed', 'denied', 'no opinion', 'not asked'],
      description: 'The first that allows or denies decides.'
    },
    reason: text('Often empty.')
  },
  {
    error: text('What went wrong.'),
    details: any(
      'For those who may create SubjectAccessReviews: the policy of the ABAC file, with its line; the match conditions of a webhook, with their values.'
    )
  }
)

const through = { binding: name, role: name, rule }

export const accessAnswer = object(
  'Access',
  {},
  {
    question: request,
    allowed: is('Whether the request is allowed.'),
    reason: text('What the server says with its decision.'),
    decidedBy: text('The authorizer that decided; missing where none did, so that the request is refused.'),
    authorizers: list(opinion, 'In the order in which they are asked.'),
    grants: list(
      object('Grant', { ...through, subject: name }, { aggregatedFrom }),
      'Every way in which RBAC allows it, as far as you may read roles and bindings.'
    ),
    remedy: object('Remedy', {
      rule,
      objects: list(any('A role or a binding.'), 'The role with this rule alone, and its binding to the user.'),
      yaml: text('Both as YAML.')
    }),
    noRemedy: text('Why no role would help.'),
    holders: list(
      object('Holder', { role: name, rule }, { aggregatedFrom }),
      'Roles that allow it to those to whom they are bound: those with wildcards come late, and those of the server itself last. At most 50.'
    ),

    hint: text('What may be wrong with the question.'),
    unreadable: texts('Roles and bindings that you may not list: there may be more.'),
    request: any(
      'The recorded request that was asked about. For one that was refused before it was authorized, there is nothing else.'
    )
  }
)

export const requestsAnswer = object('Requests', {
  last: number('The number of the last request so far, whoever sent it.'),
  requests: list(
    object(
      'RequestSummary',
      {
        number: number('That of the recorder.'),
        auditId: text('The Audit-Id.'),
        time: text('When it was received: RFC 3339.'),
        method: text('The method.'),
        url: text('The URL.'),
        ...verb,
        resource: text('deployments.apps/status; "" outside the resources.'),
        namespace: text('"" outside of namespaces.'),
        name: text('The name of the object; "" where no object is named.'),
        user: text('Who sent it; "" when nobody was authenticated.'),
        userAgent: text('The program.'),
        status: number('The code of the answer; 0 while there is none.'),
        milliseconds: number('The time to the end of its answer; for a watch that goes on, to its beginning.'),
        isOpen: is('Whether it has not ended yet.')
      },
      { impersonated: text('The user that the sender impersonates.') }
    ),
    'The oldest first.'
  )
})

export const subjectsAnswer = object('Subjects', {
  question: requestOfAnybody,
  subjects: list(
    object('AllowedSubject', {
      subject: name,
      through: list(object('Way', through, { aggregatedFrom }), 'Every way in which RBAC allows it to the subject.')
    }),
    'Sorted by kind and name.'
  ),
  notes: texts('Who else may, although no binding says so.')
})

const time = text('RFC 3339.')
const manager = { manager: text('The field manager.'), operation: text('Apply or Update.') }

export const deletionAnswer = object(
  'Deletion',
  {
    deleting: is('Whether it has a deletionTimestamp.'),
    reasons: texts('What keeps it, each in a sentence.'),
    finalizers: list(
      object(
        'Finalizer',
        { name: text('The finalizer.'), setBy: list(object('Setter', manager, { time }), 'Who set it, by managedFields.') },
        { meaning: text('Who removes it, for those of Kubernetes.') }
      ),
      'Those of the metadata, and of the spec of a Namespace.'
    ),
    owners: list(
      object('Owner', {
        apiVersion: text('As the reference has it.'),
        kind: text('The kind.'),
        name: text('The name.'),
        controller: is('Whether the owner controls it.'),
        exists: { description: 'true, false, or "unknown" where you may not get it.' }
      }),
      'What it belongs to.'
    ),
    dependents: list(
      object('Dependent', {
        resource: text('deployments.apps'),
        namespace: text('"" outside of namespaces.'),
        name: text('The name.'),
        blocks: is('blockOwnerDeletion'),
        deleting: is('Whether it has a deletionTimestamp.'),
        finalizers: texts('Its finalizers.')
      }),
      'What belongs to it, while its deletion waits for that: those that block it first. At most 100.'
    ),
    unreadable: texts('Resources that you may not list: objects of these may be missing.')
  },
  {
    deletionTimestamp: time,
    remaining: list(
      object('Remaining', {
        resource: text('configmaps'),
        objects: number('How many there are.'),
        finalizers: any('How many of them have each finalizer.'),
        names: texts('Some of them: those with finalizers first.')
      }),
      'What a Namespace still contains.'
    ),
    conditions: list(
      object('Condition', { type: text('The type.'), reason: text('The reason.'), message: text('The message.') }),
      'Those of a Namespace that are true.'
    )
  }
)

export const fieldsAnswer = object('Fields', {
  fields: list(
    object('Field', {
      path: text('.spec.containers[name="web"].image'),
      owners: list(
        object(
          'FieldOwner',
          {
            ...manager,
            subresource: text('"" for the object itself.'),
            apiVersion: text('The version in which the manager wrote it.')
          },
          {
            time,
            request: object('WritingRequest', {
              number: number('That of the recorder.'),
              auditId: text('The Audit-Id.'),
              time,
              user: text('The user.'),
              method: text('The method.'),
              url: text('The URL.')
            })
          }
        ),
        'All managers that own it.'
      )
    }),
    'Sorted by path.'
  )
})

const node = object('Node', {
  expression: text('The node as text.'),
  line: number('Its line in the expression, from 1.'),
  column: number('Its column, from 1.'),
  each: number('What one evaluation costs, with all parts: the most where it is estimated, the mean where it is measured.'),
  times: number('How often it is evaluated: the most where it is estimated.'),
  own: number('What it costs in all, without its parts.')
})

export const admissionAnswer = object(
  'Admission',
  {
    status: number('The code of the answer that the request would have.'),
    warnings: texts('The warnings of the answer.'),
    steps: list(
      object(
        'Step',
        {
          kind: { type: 'string', enum: ['plugin', 'policy', 'webhook'], description: 'What took part.' },
          phase: { type: 'string', enum: ['admit', 'validate'], description: 'admit may change the object.' },
          name: text('Its name; of policies and webhooks for those who may list them.'),
          depth: number('0 for a plugin, 1 for the policies and webhooks that it asks.'),
          milliseconds: number('The time that it took.')
        },
        {
          diff: text('What it changed: a unified diff of JSON. The data of Secrets are not in it.'),
          answer: text('What a policy or webhook answered.'),
          cost: number("What a policy's expressions cost; 10,000,000 is the most."),
          expressions: list(
            object('ExpressionCost', {
              expression: text('The expression.'),
              cost: number('What it cost.'),
              nodes: list(node, 'Its costliest nodes, measured.')
            }),
            'In the order in which they were evaluated.'
          ),
          error: text('Why it refused the request, or failed.')
        }
      ),
      'In their order.'
    )
  },
  { message: text('Why the request would be refused.'), object: any('The object as it would be stored.') }
)

const bound = object(
  'Bound',
  {
    at: text('The place below the root of the schema: .properties[spec].properties[items]'),
    keyword: { type: 'string', enum: ['maxItems', 'maxLength', 'maxProperties'], description: 'The limit.' },
    value: number('The largest that helps, rounded down.')
  },
  { present: number('The limit that is there, and too large.') }
)

export const expressionsAnswer = object('Expressions', {
  versions: list(
    object('Version', {
      version: text('The version.'),
      total: number('The estimated cost of all rules for one object.'),
      limits: object('Limits', { rule: number('That of one rule.'), schema: number('That of all rules together.') }),
      rules: list(
        object(
          'Rule',
          {
            at: text('Its place below the root of the schema.'),
            kind: { type: 'string', enum: ['rule', 'messageExpression'], description: 'Which expression of a rule it is.' },
            expression: text('The expression.'),
            cost: number('The estimated cost for one value.'),
            values: number('The most values in one object.'),
            total: number('Both multiplied.'),
            nodes: list(node, 'The costliest nodes, estimated; empty for cheap rules.'),
            cures: list(
              object('Cure', {
                bounds: list(bound, 'Limits that are needed together.'),
                total: number('What the rule then costs.')
              }),
              'Limits with which a rule over its limit is within it: each cure by itself.'
            )
          },
          { error: text('Why it does not compile.') }
        ),
        'The costliest first.'
      )
    }),
    'In the order of the definition.'
  )
})
