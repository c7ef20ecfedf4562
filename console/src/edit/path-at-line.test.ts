import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pathAtLine } from './path-at-line.js'

const text = `apiVersion: apps/v1
metadata:
  labels:
    "a.b/c": x
spec:
  template:
    spec:
      # a comment
      containers:
      - name: a
        image: x
      - name: b
        args: ["x"]
        command:
          - sh
          - |
            spec:
            - x
        ports:
        - containerPort: 80
          
  replicas: 1
`
const lineOf = (part: string) => text.slice(0, text.indexOf(part)).split('\n').length

test('finds the path of a line in maps, lists at the column of their field, and lists that are indented', () => {
  const path = (part: string) => pathAtLine(text, lineOf(part))
  assert.deepEqual(path('apiVersion'), ['apiVersion'])
  assert.deepEqual(path('"a.b/c"'), ['metadata', 'labels', 'a.b/c'])
  assert.deepEqual(path('image'), ['spec', 'template', 'spec', 'containers', 0, 'image'])
  assert.deepEqual(path('name: b'), ['spec', 'template', 'spec', 'containers', 1, 'name'])
  assert.deepEqual(path('ports'), ['spec', 'template', 'spec', 'containers', 1, 'ports'])
  assert.deepEqual(path('containerPort'), ['spec', 'template', 'spec', 'containers', 1, 'ports', 0, 'containerPort'])
  assert.deepEqual(path('replicas'), ['spec', 'replicas'])
})

test('a line without a name yet is a field where its text begins', () => {
  assert.deepEqual(pathAtLine(text, lineOf('containerPort') + 1), ['spec', 'template', 'spec', 'containers', 1, 'ports', 0, ''])
  assert.deepEqual(pathAtLine('spec:\n  rep', 2), ['spec', ''])
  assert.deepEqual(pathAtLine('', 1), [''])
})
