import assert from 'node:assert/strict'
import { test } from 'node:test'
import { byStep } from './step-order.js'

const isSorted = (...steps: string[]) => assert.deepEqual(steps.toReversed().sort(byStep), steps)

test('kinds of steps follow each other', () => isSorted('.', 'f:z', 'k:{"a":1}', 'v:"a"', 'i:0'))

test('values of sets', () => {
  isSorted('v:-1', 'v:1', 'v:2', 'v:2.5', 'v:10', 'v:9007199254740993', 'v:""', 'v:"10"', 'v:"9"', 'v:false', 'v:true', 'v:null')
  isSorted('v:"a"', 'v:"a b"', 'v:"a!"', 'v:"a\\"b"', 'v:"ab"')
  isSorted('v:[1]', 'v:[1,2]', 'v:[2]', 'v:{"a":1}', 'v:{"a":1,"b":1}', 'v:{"a":2}')
})

test('keyed items', () => {
  isSorted('k:{"name":"a"}', 'k:{"name":"a b"}', 'k:{"name":"ab"}')
  isSorted('k:{"a":"x"}', 'k:{"a":"x","b":1}', 'k:{"a":"x","b":2}', 'k:{"a":"x","b":10}', 'k:{"b":1}')
  isSorted('k:{"port":80}', 'k:{"port":443}', 'k:{"port":"80"}')
})

test('places in lists', () => isSorted('i:2', 'i:10'))
