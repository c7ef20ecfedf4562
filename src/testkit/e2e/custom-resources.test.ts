/** Runs unmodified kubectl with kinds from a CustomResourceDefinition. */
import assert from 'node:assert/strict'
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { type Kubectl, kubectlMissing, startKubectl } from './kubectl.js'

const definition = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: boats.sea.example.com}
spec:
  group: sea.example.com
  scope: Namespaced
  names: {plural: boats, singular: boat, kind: Boat, shortNames: [bt], categories: [fleet]}
  versions:
  - name: v1
    served: true
    storage: true
    subresources:
      status: {}
      scale: {specReplicasPath: .spec.crew, statusReplicasPath: .status.aboard, labelSelectorPath: .status.selector}
    selectableFields: [{jsonPath: .spec.harbour}]
    additionalPrinterColumns:
    - {name: Harbour, type: string, jsonPath: .spec.harbour}
    - {name: Crew, type: integer, jsonPath: .spec.crew}
    - {name: Afloat, type: string, jsonPath: '.status.conditions[?(@.type=="Afloat")].status', priority: 1}
    schema:
      openAPIV3Schema:
        type: object
        description: A boat.
        required: [spec]
        properties:
          spec:
            type: object
            description: What it should be.
            required: [harbour]
            x-kubernetes-validations:
            - {rule: self.crew <= 10, message: too many on board}
            properties:
              harbour: {type: string, enum: [Genoa, Lisbon, Porto], description: Where it belongs.}
              crew: {type: integer, default: 2, minimum: 0}
              sails:
                type: array
                x-kubernetes-list-type: map
                x-kubernetes-list-map-keys: [name]
                items:
                  type: object
                  required: [name]
                  properties:
                    name: {type: string}
                    area: {x-kubernetes-int-or-string: true}
          status:
            type: object
            properties:
              aboard: {type: integer}
              selector: {type: string}
              conditions:
                type: array
                items: {type: object, properties: {type: {type: string}, status: {type: string}}}
`

const boat = (name: string, harbour: string, more = '') => `
apiVersion: sea.example.com/v1
kind: Boat
metadata: {name: ${name}, labels: {from: ${harbour}}}
spec:
  harbour: ${harbour}
${more}`

const sails = (...names: string[]) => `  sails:\n${names.map(name => `  - {name: ${name}, area: 20%}\n`).join('')}`

describe('kubectl with custom resources', { skip: kubectlMissing, timeout: 240_000 }, () => {
  let k: Kubectl
  before(async () => {
    k = await startKubectl()
    await k.run('create -f -', { input: definition })
    await k.run('wait --for=condition=Established crd/boats.sea.example.com --timeout=60s')
  })
  after(() => k?.close())

  const inNamespace = async (name: string, work: (ns: string) => Promise<void>) => {
    await k.run(`create namespace ${name}`)
    await work(`-n ${name}`)
  }

  test('lists, explains and describes the kind', async () => {
    assert.match(await k.run('api-resources --categories=fleet'), /^boats\s+bt\s+sea\.example\.com\/v1\s+true\s+Boat$/m)
    const explained = await k.run('explain boat.spec --recursive')
    assert.match(explained, /GROUP:\s+sea\.example\.com[\s\S]*What it should be\.[\s\S]*harbour\s+<string> -required-/)
    assert.match(
      explained,
      /enum: Genoa, Lisbon, Porto[\s\S]*sails\s+<\[\]Object>\s+area\s+<Object>\s+name\s+<string> -required-/
    )
    assert.match(await k.run('explain bt.spec.harbour'), /Where it belongs\./)
    await inNamespace('describe', async ns => {
      await k.run(`${ns} create -f -`, { input: boat('ada', 'Genoa', sails('main')) })
      assert.match(
        await k.run(`${ns} describe boat ada`),
        /Kind:\s+Boat[\s\S]*Harbour:\s+Genoa\n\s+Sails:\n\s+Area:\s+20%\n\s+Name:\s+main/
      )
    })
  })

  test('prints its columns under every name', async () => {
    await inNamespace('get', async ns => {
      await k.run(`${ns} create -f -`, { input: `${boat('ada', 'Genoa')}---${boat('bea', 'Porto', '  crew: 7')}` })
      for (const name of ['boat', 'boats', 'bt', 'boats.sea.example.com', 'boats.v1.sea.example.com', 'fleet']) {
        assert.match(await k.run(`${ns} get ${name}`), /^NAME\s+HARBOUR\s+CREW\nada\s+Genoa\s+2\nbea\s+Porto\s+7$/m)
      }
      await k.run(
        `${ns} patch bt bea --subresource=status --type=merge -p {"status":{"conditions":[{"type":"Afloat","status":"True"}]}}`
      )
      assert.match(await k.run(`${ns} get bt -o wide`), /AFLOAT\nada\s+Genoa\s+2\s*\nbea\s+Porto\s+7\s+True/)
      assert.match(await k.run(`${ns} wait bt/bea --for=condition=Afloat --timeout=30s`), /bea condition met/)
      assert.match(await k.run(`${ns} wait bt/bea --for=jsonpath={.spec.crew}=7 --timeout=30s`), /condition met/)
      assert.equal(await k.run(`${ns} get bt -l from=Porto -o name`), 'boat.sea.example.com/bea\n')
      assert.equal(await k.run(`${ns} get bt --field-selector=spec.harbour=Genoa -o name`), 'boat.sea.example.com/ada\n')
      assert.match(
        await k.run(`${ns} get bt -o custom-columns=N:.metadata.name,H:.spec.harbour --sort-by=.spec.crew`),
        /ada\s+Genoa\nbea/
      )
      assert.match((await k.fails(`${ns} get bt cleo`)).stderr, /boats\.sea\.example\.com "cleo" not found/)
    })
  })

  test('applies client-side and server-side, with diffs and pruning', async () => {
    await inNamespace('apply', async ns => {
      const one = boat('ada', 'Genoa', sails('main', 'jib'))
      assert.match(await k.run(`${ns} apply -f -`, { input: one }), /boat\.sea\.example\.com\/ada created/)
      assert.match(await k.run(`${ns} apply -f -`, { input: one }), /ada unchanged/)
      const two = boat('ada', 'Lisbon', sails('main'))
      assert.match((await k.fails(`${ns} diff -f -`, { input: two })).stdout, /-\s+harbour: Genoa\n\+\s+harbour: Lisbon/)
      assert.match(await k.run(`${ns} apply -f -`, { input: two }), /ada configured/)
      assert.equal(await k.run(`${ns} get bt ada -o jsonpath={.spec.sails[*].name}`), 'main')
      assert.match(await k.run(`${ns} replace -f -`, { input: boat('ada', 'Porto') }), /ada replaced/)

      assert.match(
        await k.run(`${ns} apply --server-side --field-manager=a -f -`, { input: boat('bea', 'Genoa', sails('main')) }),
        /bea serverside-applied/
      )
      await k.run(`${ns} apply --server-side --field-manager=b -f -`, { input: boat('bea', 'Genoa', sails('jib')) })
      assert.equal(await k.run(`${ns} get bt bea -o jsonpath={.spec.sails[*].name}`), 'main jib')
      const conflict = await k.fails(`${ns} apply --server-side --field-manager=b -f -`, { input: boat('bea', 'Porto') })
      assert.match(conflict.stderr, /conflicts? with "a":[\s\S]*\.spec\.harbour/)
      await k.run(`${ns} apply --server-side --force-conflicts --field-manager=b -f -`, { input: boat('bea', 'Porto') })
      assert.equal(await k.run(`${ns} get bt bea -o jsonpath={.spec.harbour}{.spec.sails[*].name}`), 'Portomain')

      const set = (input: string) =>
        k.run(`${ns} apply --server-side --force-conflicts --prune --applyset=boats -f -`, {
          input,
          env: { KUBECTL_APPLYSET: 'true' }
        })
      await set(`${boat('cleo', 'Porto')}---${boat('dora', 'Porto')}`)
      assert.match(await set(boat('dora', 'Porto')), /boat\.sea\.example\.com\/cleo pruned/)
      assert.equal(await k.run(`${ns} get bt -o name -l applyset.kubernetes.io/part-of`), 'boat.sea.example.com/dora\n')
    })
  })

  test('patches, edits, scales, labels and annotates', async () => {
    await inNamespace('change', async ns => {
      await k.run(`${ns} create -f -`, { input: boat('ada', 'Genoa', sails('main')) })
      await k.run(`${ns} patch bt ada --type=merge -p {"spec":{"crew":4}}`)
      await k.run(`${ns} patch bt ada --type=json -p [{"op":"add","path":"/spec/sails/-","value":{"name":"jib","area":7}}]`)
      assert.equal(await k.run(`${ns} get bt ada -o jsonpath={.spec.crew}/{.spec.sails[1].area}`), '4/7')
      const strategic = await k.fails(`${ns} patch bt ada --type=strategic -p {"spec":{"crew":5}}`)
      assert.match(strategic.stderr, /application\/strategic-merge-patch\+json is not supported/)
      assert.match(await k.run(`${ns} scale bt/ada --replicas=9`), /ada scaled/)
      assert.equal(await k.run(`${ns} get bt ada --subresource=scale -o jsonpath={.spec.replicas}`), '9')
      await k.run(`${ns} label bt --all tall=yes`)
      await k.run(`${ns} annotate bt ada note=x`)
      assert.match(await k.run(`${ns} get bt -l tall=yes --show-labels`), /from=Genoa,tall=yes/)

      const editor = join(k.directory, 'editor.sh')
      writeFileSync(editor, '#!/bin/sh\nsed -i "s/harbour: Genoa/harbour: Lisbon/" "$1"\n')
      chmodSync(editor, 0o755)
      assert.match(await k.run(`${ns} edit bt ada`, { env: { EDITOR: editor } }), /ada edited/)
      assert.equal(await k.run(`${ns} get bt ada -o jsonpath={.spec.harbour}`), 'Lisbon')
    })
  })

  test('reports the errors of an object', async () => {
    await inNamespace('wrong', async ns => {
      const refused = async (more: string, harbour = 'Genoa') =>
        (await k.fails(`${ns} create -f -`, { input: boat('ada', harbour, more) })).stderr
      assert.match(
        await refused('', 'Hamburg'),
        /spec\.harbour: Unsupported value: "Hamburg": supported values: "Genoa", "Lisbon", "Porto"/
      )
      assert.match(await refused('  crew: 11'), /spec: Invalid value: .*too many on board/)
      assert.match(await refused(sails('main', 'main')), /spec\.sails\[1\]: Duplicate value: \{"name":"main"\}/)
      assert.match(await refused('  rudder: yes'), /unknown field "spec\.rudder"/)
      assert.match(await refused('  sails: [null]'), /spec\.sails\[0\] in body must be of type object: "null"/)

      // a null that the schema forbids is dropped from a document, but not from an applied configuration
      const nulls = boat('ada', 'Genoa', '  sails: null\n  crew: null')
      await k.run(`${ns} create --dry-run=server -f -`, { input: nulls })
      assert.match(
        (await k.fails(`${ns} apply --server-side -f -`, { input: nulls })).stderr,
        /spec\.sails: Invalid value: "null": spec\.sails in body must be of type array: "null"/
      )
    })
  })

  test('deletes objects, and deletes all of them together with the definition', async () => {
    await inNamespace('delete', async ns => {
      await k.run(`${ns} create -f -`, { input: `${boat('ada', 'Genoa')}---${boat('bea', 'Porto')}` })
      await k.run(`${ns} patch bt bea --type=merge -p {"metadata":{"finalizers":["example.com/anchor"]}}`)
      assert.match(await k.run(`${ns} delete bt ada --wait`), /"ada" deleted/)
      const going = k.start(`${ns} delete bt bea --timeout=60s`)
      await going.until(/"bea" deleted/)
      await k.run(`${ns} patch bt bea --type=merge -p {"metadata":{"finalizers":null}}`)
      assert.equal(await going.ended, 0)
      assert.equal(await k.run(`${ns} get bt -o name`), '')
    })
    assert.match(await k.run('delete crd boats.sea.example.com --wait'), /deleted/)
    assert.match((await k.fails('get boats')).stderr, /the server could not find the requested resource/)
  })
})
