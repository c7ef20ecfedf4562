/** Runs unmodified kubectl through its common commands. */
import assert from 'node:assert/strict'
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { type Kubectl, kubectlMissing, startKubectl } from './kubectl.js'

const deployment = (image: string, labels = 'tier: front') => `
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
  labels:
    app: web
    ${labels}
spec:
  replicas: 2
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers:
      - name: main
        image: ${image}
        ports: [{containerPort: 8080}]
`

describe('kubectl', { skip: kubectlMissing, timeout: 240_000 }, () => {
  let k: Kubectl
  before(async () => {
    k = await startKubectl()
  })
  after(() => k?.close())

  const inNamespace = async (name: string, work: (ns: string) => Promise<void>) => {
    await k.run(`create namespace ${name}`)
    await work(`-n ${name}`)
  }

  test('shows the version and the resources of the server', async () => {
    assert.match(await k.run('version'), /Server Version: v1\.37/)
    assert.match(await k.run('cluster-info'), /Kubernetes control plane.* is running at/)
    const resources = await k.run('api-resources')
    assert.match(resources, /^deployments\s+deploy\s+apps\/v1\s+true\s+Deployment$/m)
    assert.match(resources, /^nodes\s+no\s+v1\s+false\s+Node$/m)
    assert.match(await k.run('api-resources --api-group=networking.k8s.io -o name'), /ingresses\.networking\.k8s\.io/)
    assert.match(await k.run('api-versions'), /^apps\/v1$/m)
    assert.match(await k.run('auth whoami'), /kubernetes-admin/)
    assert.equal((await k.run('auth can-i create pods')).trim(), 'yes')
    assert.match(await k.run('get --raw /readyz?verbose'), /readyz check passed/)
  })

  test('finds the namespaces, the default service account and the kubernetes service', async () => {
    const namespaces = await k.run('get namespaces -o name')
    for (const name of ['default', 'kube-system', 'kube-public', 'kube-node-lease'])
      assert.match(namespaces, new RegExp(`namespace/${name}$`, 'm'))
    assert.match(await k.run('get service kubernetes'), /kubernetes\s+ClusterIP\s+10\.0\.0\.1\s+<none>\s+443\/TCP/)
    assert.match(
      await k.run('get serviceaccount,configmap -n default'),
      /serviceaccount\/default[\s\S]*configmap\/kube-root-ca\.crt/
    )
  })

  test('creates from files and by generators', async () => {
    await inNamespace('create', async ns => {
      assert.match(await k.run(`${ns} create -f -`, { input: deployment('nginx:1') }), /deployment\.apps\/web created/)
      await k.run(`${ns} create configmap settings --from-literal=a=1 --from-literal=b=2`)
      await k.run(`${ns} create secret generic key --from-literal=password=s3cret`)
      await k.run(`${ns} create deployment hello --image=busybox --replicas=3`)
      await k.run(`${ns} create service clusterip hello --tcp=80:8080`)
      await k.run(`${ns} create serviceaccount robot`)
      await k.run(`${ns} create job once --image=busybox -- true`)
      await k.run(`${ns} create cronjob often --image=busybox '--schedule=*/5 * * * *' -- true`)
      await k.run(`${ns} create role reader --verb=get,list --resource=pods`)
      await k.run(`${ns} create rolebinding readers --role=reader --user=jane`)
      await k.run(`${ns} create ingress site '--rule=example.com/*=hello:80'`)
      await k.run(`${ns} create quota small --hard=pods=5`)
      await k.run(`${ns} create poddisruptionbudget careful --selector=app=web --min-available=1`)
      await k.run(`${ns} run solo --image=nginx --labels=app=solo --restart=Never`)
      assert.equal(await k.run(`${ns} get secret key -o jsonpath={.data.password}`), Buffer.from('s3cret').toString('base64'))
      assert.match(
        await k.run(`${ns} get all`),
        /pod\/solo[\s\S]*service\/hello[\s\S]*deployment\.apps\/hello[\s\S]*cronjob\.batch\/often[\s\S]*job\.batch\/once/
      )
      assert.match((await k.fails(`${ns} create configmap settings`)).stderr, /configmaps "settings" already exists/)
    })
  })

  test('applies: creates, changes, prunes a field, and sees no change', async () => {
    await inNamespace('apply', async ns => {
      const apply = (image: string, labels?: string) => k.run(`${ns} apply -f -`, { input: deployment(image, labels) })
      assert.match(await apply('nginx:1'), /deployment\.apps\/web created/)
      assert.match(await apply('nginx:1'), /deployment\.apps\/web unchanged/)
      assert.match(await apply('nginx:2', 'zone: a'), /deployment\.apps\/web configured/)
      assert.deepEqual(JSON.parse(await k.run(`${ns} get deployment web -o jsonpath={.metadata.labels}`)), {
        app: 'web',
        zone: 'a'
      })
      assert.equal(await k.run(`${ns} get deployment web -o jsonpath={.spec.template.spec.containers[0].image}`), 'nginx:2')
      const diff = await k.fails(`${ns} diff -f -`, { input: deployment('nginx:3', 'zone: a') })
      assert.match(diff.stdout, /-\s+- image: nginx:2\n\+\s+- image: nginx:3/)
      assert.match(
        await k.run(`${ns} apply --dry-run=server -f -`, { input: deployment('nginx:9', 'zone: a') }),
        /configured \(server dry run\)/
      )
      assert.equal(await k.run(`${ns} get deployment web -o jsonpath={.spec.template.spec.containers[0].image}`), 'nginx:2')
      assert.match(await k.run(`${ns} replace -f -`, { input: deployment('nginx:4') }), /deployment\.apps\/web replaced/)
    })
  })

  test('gets in every output format', async () => {
    await inNamespace('get', async ns => {
      for (const i of [1, 2, 3]) await k.run(`${ns} run pod-${i} --image=nginx:${i} --labels=n=${i},app=x`)
      assert.match(await k.run(`${ns} get pods`), /^NAME\s+READY\s+STATUS\s+RESTARTS\s+AGE\npod-1\s+0\/1\s+Pending\s+0\s+\d+s$/m)
      assert.match(await k.run(`${ns} get pods -o wide`), /IP\s+NODE\s+NOMINATED NODE\s+READINESS GATES/)
      assert.match(await k.run(`${ns} get pods --show-labels`), /app=x,n=1/)
      assert.match(await k.run(`${ns} get pods -L app`), /APP\n.*x$/m)
      assert.match(await k.run(`${ns} get pod pod-2 -o yaml`), /^kind: Pod$/m)
      assert.equal(JSON.parse(await k.run(`${ns} get pods -o json`)).items.length, 3)
      assert.equal(await k.run(`${ns} get pods -o name`), 'pod/pod-1\npod/pod-2\npod/pod-3\n')
      assert.equal(await k.run(`${ns} get pods -o jsonpath={.items[*].spec.containers[0].image}`), 'nginx:1 nginx:2 nginx:3')
      assert.equal(
        await k.run(`${ns} get pods -o custom-columns=N:.metadata.name,I:.spec.containers[0].image --no-headers`),
        'pod-1   nginx:1\npod-2   nginx:2\npod-3   nginx:3\n'
      )
      assert.equal(await k.run(`${ns} get pods -l 'n in (1,3)' -o name`), 'pod/pod-1\npod/pod-3\n')
      assert.equal(await k.run(`${ns} get pods --field-selector=metadata.name=pod-2 -o name`), 'pod/pod-2\n')
      assert.equal(await k.run(`${ns} get pods --chunk-size=1 -o name`), 'pod/pod-1\npod/pod-2\npod/pod-3\n')
      assert.match(await k.run('get pods -A'), /^get\s+pod-1\s/m)
      assert.match(await k.run(`${ns} get pods --sort-by=.metadata.name`), /pod-1[\s\S]*pod-3/)
      assert.match((await k.fails(`${ns} get pod nobody`)).stderr, /pods "nobody" not found/)
      assert.match((await k.fails(`${ns} get gadgets`)).stderr, /the server doesn't have a resource type "gadgets"/)
    })
  })

  test('watches', async () => {
    await inNamespace('watch', async ns => {
      const watching = k.start(`${ns} get configmaps -w`)
      await watching.until(/kube-root-ca\.crt/)
      await k.run(`${ns} create configmap later --from-literal=a=1`)
      await watching.until(/later\s+1\s+\d+s/)
      watching.stop()
    })
  })

  test('describes', async () => {
    await inNamespace('describe', async ns => {
      await k.run(`${ns} create -f -`, { input: deployment('nginx:1') })
      await k.run(`${ns} run solo --image=nginx`)
      await k.run(`${ns} create service clusterip hello --tcp=80:8080`)
      await k.run(`${ns} create configmap settings --from-literal=a=1`)
      await k.run('create -f -', { input: 'apiVersion: v1\nkind: Node\nmetadata: {name: worker}\n' })
      assert.match(await k.run(`${ns} describe deployment web`), /Image:\s+nginx:1/)
      assert.match(await k.run(`${ns} describe pod solo`), /Status:\s+Pending/)
      assert.match(await k.run(`${ns} describe service hello`), /Port:\s+80-8080\s+80\/TCP/)
      assert.match(await k.run(`${ns} describe configmap settings`), /a:\n----\n1/)
      assert.match(await k.run('describe node worker'), /Taints:\s+node\.kubernetes\.io\/not-ready:NoSchedule/)
      assert.match(await k.run('describe namespace describe'), /Status:\s+Active/)
    })
  })

  test('explains', async () => {
    assert.match(
      await k.run('explain deployment'),
      /KIND:\s+Deployment[\s\S]*Deployment enables declarative updates for Pods and ReplicaSets/
    )
    assert.match(await k.run('explain pod.spec.containers.image'), /FIELD: image <string>/)
    assert.match(
      await k.run('explain deployment.spec --recursive'),
      /rollingUpdate\s+<RollingUpdateDeployment>\n\s+maxSurge\s+<IntOrString>/
    )
    assert.match((await k.fails('explain pod.spec.nothing')).stderr, /field "nothing" does not exist/)
  })

  test('edits, labels, annotates, patches, sets, scales', async () => {
    await inNamespace('change', async ns => {
      await k.run(`${ns} create -f -`, { input: deployment('nginx:1') })
      const editor = join(k.directory, 'editor.sh')
      writeFileSync(editor, '#!/bin/sh\nsed -i "s/replicas: 2/replicas: 5/" "$1"\n')
      chmodSync(editor, 0o755)
      assert.match(await k.run(`${ns} edit deployment web`, { env: { EDITOR: editor } }), /edited/)
      const field = (path: string) => k.run(`${ns} get deployment web -o jsonpath={${path}}`)
      assert.equal(await field('.spec.replicas'), '5')
      await k.run(`${ns} label deployment web team=blue`)
      assert.match((await k.fails(`${ns} label deployment web team=red`)).stderr, /--overwrite is false/)
      await k.run(`${ns} annotate deployment web note=hello`)
      assert.equal(await field('.metadata.annotations.note'), 'hello')
      await k.run(`${ns} label deployment web team-`)
      assert.equal(await field('.metadata.labels.team'), '')
      await k.run(
        `${ns} patch deployment web -p '{"spec":{"template":{"spec":{"containers":[{"name":"main","env":[{"name":"A","value":"1"}]}]}}}}'`
      )
      assert.equal(await field('.spec.template.spec.containers[0].image'), 'nginx:1')
      await k.run(`${ns} patch deployment web --type=merge -p '{"spec":{"paused":true}}'`)
      await k.run(`${ns} patch deployment web --type=json -p '[{"op":"replace","path":"/spec/replicas","value":7}]'`)
      assert.equal(await field('.spec.replicas'), '7')
      assert.match(
        (await k.fails(`${ns} patch deployment web --type=json -p '[{"op":"remove","path":"/spec/nothing"}]'`)).stderr,
        /error in our request/
      )
      await k.run(`${ns} set image deployment/web main=nginx:9`)
      await k.run(`${ns} set env deployment/web B=2`)
      await k.run(`${ns} set resources deployment/web --limits=cpu=1`)
      assert.equal(await field('.spec.template.spec.containers[0].image'), 'nginx:9')
      await k.run(`${ns} scale deployment web --replicas=3`)
      await k.run(`${ns} scale deployment web --current-replicas=3 --replicas=4`)
      assert.equal(await field('.spec.replicas'), '4')
      assert.match(await k.run(`${ns} rollout history deployment web`), /web/)
      await k.run(`${ns} rollout restart deployment web`).catch(error => assert.match(String(error), /paused/))
      await k.run(`${ns} autoscale deployment web --max=9 --cpu-percent=50`)
      assert.match(await k.run(`${ns} get hpa`), /web\s+Deployment\/web/)
      await k.run(`${ns} expose deployment web --port=80 --target-port=8080`)
      assert.match((await k.fails(`${ns} set image deployment/web main=`)).stderr, /image/)
    })
  })

  test('deletes and waits', async () => {
    await inNamespace('delete', async ns => {
      for (const i of [1, 2, 3, 4]) await k.run(`${ns} create configmap c${i}`)
      assert.match(await k.run(`${ns} delete configmap c1 --wait=true`), /configmap "c1" deleted/)
      assert.match(await k.run(`${ns} delete configmap c2 --cascade=orphan --wait=false`), /deleted/)
      await k.run(`${ns} run p --image=nginx`)
      assert.match(await k.run(`${ns} delete pod p --grace-period=0 --force`), /force deleted/)
      await k.run(`${ns} label configmap c3 old=yes`)
      assert.match(await k.run(`${ns} delete configmap -l old=yes`), /"c3" deleted/)
      await k.run(`${ns} delete configmap --all`)
      assert.match((await k.fails(`${ns} delete configmap c4`)).stderr, /not found/)
      await k.run(`${ns} delete configmap c4 --ignore-not-found`)
    })
    assert.match(await k.run('delete namespace delete --timeout=60s'), /namespace "delete" deleted/)
    assert.match((await k.fails('get namespace delete')).stderr, /not found/)
  })

  test('waits for conditions, values and deletion', async () => {
    await inNamespace('wait', async ns => {
      await k.run(`${ns} run p --image=nginx`)
      const ready = k.start(`${ns} wait --for=condition=Ready pod/p --timeout=60s`)
      const phase = k.start(`${ns} wait --for=jsonpath={.status.phase}=Running pod/p --timeout=60s`)
      const gone = k.start(`${ns} wait --for=delete pod/p --timeout=60s`)
      await k.run(
        `${ns} patch pod p --subresource=status --type=merge -p '{"status":{"phase":"Running","conditions":[{"type":"Ready","status":"True"}]}}'`
      )
      await ready.until(/condition met/)
      await phase.until(/condition met/)
      await k.run(`${ns} delete pod p --now`)
      await gone.until(/condition met|deleted/)
    })
  })

  test('shows errors that a person can act on', async () => {
    await inNamespace('errors', async ns => {
      assert.match(
        (await k.fails(`${ns} create -f -`, { input: 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: Bad_Name}\n' })).stderr,
        /a lowercase RFC 1123 subdomain/
      )
      assert.match(
        (await k.fails(`${ns} create -f -`, { input: 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndatta: {}\n' }))
          .stderr,
        /unknown field "datta"/
      )
      assert.match(
        (await k.fails(`${ns} create -f -`, { input: 'apiVersion: v1\nkind: Gadget\nmetadata: {name: a}\n' })).stderr,
        /no matches for kind "Gadget"/
      )
      assert.match((await k.fails('create configmap x -n nowhere')).stderr, /namespaces "nowhere" not found/)
      assert.match(
        (await k.fails(`${ns} create deployment d --image=nginx --replicas=-1`)).stderr,
        /must be greater than or equal to 0/
      )
    })
  })
})
