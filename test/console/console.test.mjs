// What people do with the console, in a real browser.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { checkAccessibility, chromiumPath, close, launch, newPage, openConsole, picture, startServer, visit } from './browser.mjs'

const skip = chromiumPath ? false : 'no Chromium: set CHROMIUM, or install it'

describe('the console', { skip, timeout: 400_000 }, () => {
  let server
  let browser
  let client
  before(async () => {
    server = await startServer()
    client = server.client()
    browser = await launch()
  })
  after(async () => {
    await browser?.close()
    await server?.stop()
  })
  const map = (name, data = { key: 'value' }) => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, namespace: 'default' },
    data
  })
  const maps = () => client.untyped('v1', 'ConfigMap')
  // the editor that shows the text stays for a moment after Edit is clicked
  const yaml = page => page.locator('.editor .cm-content[aria-readonly=false]')
  /** Replaces all that is in the editor. */
  const write = async (page, text) => {
    await yaml(page).click()
    await page.keyboard.press('Control+A')
    await page.keyboard.press('Delete')
    await page.keyboard.insertText(text)
  }
  const type = async (page, before, after) => {
    const line = yaml(page).locator('.cm-line')
    await line.getByText(before).first().waitFor()
    const lines = await line.allTextContents()
    await write(page, lines.join('\n').replace(before, after))
  }

  test('a link signs in once, and a token as often as it is good', async () => {
    const link = await server.consoleLink()
    const page = await newPage(browser)
    await page.goto(link)
    await page.waitForSelector('.shell')
    assert.doesNotMatch(page.url(), /code=/)
    assert.equal((await page.context().cookies()).length, 0)
    await page.reload()
    await page.waitForSelector('.shell')
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.waitForSelector('.sign-in')
    await page.goto('about:blank')
    await page.goto(link)
    await page.getByText('has been used').waitFor()
    await page.getByLabel('Token').fill('wrong')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText('session has ended').waitFor()
    await picture(page, 'sign-in')
    await close(page)
  })

  test('shows objects as they come, change and go', async () => {
    const page = await openConsole(browser, server)
    await page.getByRole('link', { name: 'Pods', exact: true }).click()
    await page.getByText('live').waitFor()
    const deployments = client.untyped('apps/v1', 'Deployment')
    await deployments.create({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'web', namespace: 'default' },
      spec: {
        replicas: 2,
        selector: { matchLabels: { app: 'web' } },
        template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'c', image: 'nginx' }] } }
      }
    })
    await page.getByText('Running').nth(1).waitFor()
    await picture(page, 'pods')
    await page.getByPlaceholder('Filter').fill('no-such-pod')
    await page.getByText('No row matches').waitFor()
    await page.getByPlaceholder('Filter').fill('app=web running')
    await page.getByText('Running').nth(1).waitFor()
    await deployments.delete('web')
    await page.getByText('There are no Pods').waitFor()
    await close(page)
  })

  test('is walked through by keyboard alone', async () => {
    await maps().create(map('by-keyboard'))
    const page = await openConsole(browser, server)
    await page.keyboard.press('Control+k')
    await page.keyboard.type('cm')
    await page.getByRole('option', { name: 'ConfigMaps', selected: true }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'ConfigMaps' }).waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type('by-keyboard')
    await page.getByRole('link', { name: 'by-keyboard' }).waitFor()
    await page.getByRole('grid').focus()
    await page.keyboard.press('j')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'by-keyboard' }).waitFor()
    await close(page)
  })

  test('edits: says what is wrong while one types, shows the difference, and saves', async () => {
    await maps().create(map('edited'))
    const page = await openConsole(browser, server, { path: 'object/core/configmaps/default/edited/yaml' })
    await page.getByRole('button', { name: 'Edit' }).click()
    await type(page, 'key: value', 'key: [1]')
    await page.locator('.editor .cm-lintRange-error, .editor .cm-lintPoint-error').first().waitFor()
    await page.getByRole('button', { name: 'Review' }).click()
    await page.locator('.problem').getByText('ConfigMap in version "v1" cannot be handled').waitFor()
    await type(page, 'key: [1]', 'key: other')
    await page.getByRole('button', { name: 'Review' }).click()
    await page.locator('.editor .cm-deletedChunk, .editor .cm-deletedLine').first().waitFor()
    await picture(page, 'review')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('button', { name: 'Edit' }).waitFor()
    assert.equal((await maps().get('edited')).data.key, 'other')
    await close(page)
  })

  test('joins an edit with what others changed, and asks where both changed the same', async () => {
    await maps().create(map('shared', { mine: 'a', theirs: 'a', both: 'a' }))
    const page = await openConsole(browser, server, { path: 'object/core/configmaps/default/shared/yaml' })
    await page.getByRole('button', { name: 'Edit' }).click()
    await type(page, 'both: a', 'both: m')
    await type(page, 'mine: a', 'mine: m')
    await maps().patch('shared', { data: { theirs: 't', both: 't' } }, { fieldManager: 'somebody-else' })
    await page.getByText('It has changed since you began').waitFor()
    await page.getByRole('button', { name: 'Review' }).click()
    await page.getByText('Somebody changed the same fields').waitFor()
    await page.getByText('somebody-else').waitFor()
    await picture(page, 'conflict')
    await checkAccessibility(page, 'conflicts')
    await page.getByLabel('Yours:').check()
    await page.getByRole('button', { name: 'Go on' }).click()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('button', { name: 'Edit' }).waitFor()
    assert.deepEqual((await maps().get('shared')).data, { mine: 'm', theirs: 't', both: 'm' })
    await close(page)
  })

  test('applies what one pastes, and names the other managers of a conflict', async () => {
    await maps().apply({ ...map('applied', { key: 'x' }) }, { fieldManager: 'first-manager' })
    const page = await openConsole(browser, server, { path: 'create' })
    await write(page, 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: applied\ndata:\n  key: "y"\n')
    await picture(page, 'apply')
    await page.getByRole('button', { name: 'Apply', exact: true }).click()
    await page.getByText('first-manager').waitFor()
    await page.getByLabel('Take fields over').check()
    await page.getByRole('button', { name: 'Apply', exact: true }).click()
    await page.getByText('is applied').waitFor()
    assert.equal((await maps().get('applied')).data.key, 'y')
    await close(page)
  })

  test('shows the past of an object, and brings back what was deleted', async () => {
    await maps().create(map('remembered', { key: 'first' }))
    await maps().patch('remembered', { data: { key: 'second' } })
    const page = await openConsole(browser, server, { path: 'object/core/configmaps/default/remembered/history' })
    await page.getByText('2 of 2').waitFor()
    await page.locator('.editor').getByText('second').waitFor()
    await picture(page, 'history')
    await page.locator('#version').focus()
    await page.keyboard.press('ArrowLeft')
    await page.getByText('1 of 2').waitFor()
    const before = Date.now()
    await maps().delete('remembered')
    await page.getByText('is not there').waitFor()
    await visit(page, server, `past?kind=configmaps&at=${new Date(before).toISOString()}`)
    const row = page.getByRole('row').filter({ hasText: 'remembered' })
    await row.getByText('deleted since').waitFor()
    await picture(page, 'past')
    await row.getByRole('button', { name: 'Undelete' }).click()
    await page.getByRole('heading', { name: 'remembered' }).waitFor()
    assert.equal((await maps().get('remembered')).data.key, 'second')
    await close(page)
  })

  test('explains to somebody why they may not, and to an admin how they could', async () => {
    const alice = await openConsole(browser, server, { user: { user: 'alice', groups: ['dev'] }, path: 'list/core/pods' })
    await alice.getByText('User "alice" cannot list resource "pods"').waitFor()
    await alice.getByRole('link', { name: 'Why?' }).click()
    await alice.getByText('alice may not list pods').waitFor()
    await picture(alice, 'refused')
    await close(alice)

    const page = await openConsole(browser, server)
    await page.getByRole('link', { name: 'Who may do what' }).click()
    await page.getByLabel('User').fill('alice')
    await page.getByLabel('may', { exact: true }).fill('create')
    await page.getByLabel('what', { exact: true }).fill('pods')
    await page.getByLabel('in namespace').fill('default')
    await page.getByRole('button', { name: 'Ask' }).click()
    await page.getByText('alice may not create pods in namespace default').waitFor()
    await page.getByRole('button', { name: 'Create Role and RoleBinding' }).click()
    await page.getByText('alice may create pods in namespace default').waitFor()
    await page.getByRole('link', { name: /create pods: yes/ }).waitFor()
    await page.getByRole('button', { name: 'See the console as alice' }).click()
    await page.getByText('You see what alice sees').waitFor()
    await close(page)
  })

  test('scales, restarts and cordons, and offers nobody what they may not do', async () => {
    await client.apply(`apiVersion: apps/v1
kind: Deployment
metadata: {name: scaled, namespace: default}
spec:
  replicas: 1
  selector: {matchLabels: {app: scaled}}
  template: {metadata: {labels: {app: scaled}}, spec: {containers: [{name: c, image: nginx}]}}`)
    await client.apply(`apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: viewers}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: view}
subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: dora}]`)
    const deployment = () => client.untyped('apps/v1', 'Deployment').get('scaled')
    const page = await openConsole(browser, server, { path: 'object/apps/deployments/default/scaled' })
    await page.getByLabel('Replicas').fill('3')
    await page.getByRole('button', { name: 'Scale' }).click()
    await page.locator('.tree').getByText('readyReplicas 3').waitFor()
    await page.getByRole('button', { name: 'Restart' }).click()
    await page.getByText('restartedAt').waitFor({ state: 'attached' })
    assert.equal((await deployment()).spec.replicas, 3)
    await visit(page, server, 'object/core/nodes/-/node-1')
    await page.getByRole('button', { name: 'Cordon' }).click()
    await page.getByRole('button', { name: 'Uncordon' }).click()
    await page.getByRole('button', { name: 'Cordon', exact: true }).waitFor()
    await close(page)
    const dora = await openConsole(browser, server, { user: { user: 'dora' }, path: 'object/apps/deployments/default/scaled' })
    await dora.getByText('Conditions').waitFor()
    await dora.getByRole('button', { name: 'Delete' }).waitFor({ state: 'detached' })
    await dora.getByRole('button', { name: 'Scale' }).waitFor({ state: 'detached' })
    await close(dora)
  })

  test('says why a namespace does not go away', async () => {
    await client.untyped('v1', 'Namespace').create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'stuck' } })
    const stuck = client.untyped('v1', 'ConfigMap')
    await stuck.create({ ...map('held'), metadata: { name: 'held', namespace: 'stuck', finalizers: ['example.com/hold'] } })
    await client.untyped('v1', 'Namespace').delete('stuck')
    const page = await openConsole(browser, server)
    await page.getByRole('link', { name: 'stuck', exact: true }).click()
    await page.getByText('Why it is still here').waitFor()
    await page.getByText('configmaps').first().waitFor()
    await picture(page, 'stuck')
    await visit(page, server, 'object/core/configmaps/stuck/held')
    await page.getByRole('button', { name: 'Remove …' }).click()
    await page.getByRole('button', { name: /^Remove example.com\/hold/ }).click()
    await page.getByText('is not there').waitFor()
    await close(page)
  })

  test('shows a Pod: its log as it is written, a program in it, its relatives, its faults', async () => {
    const pods = client.untyped('v1', 'Pod')
    await pods.create({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'talks', namespace: 'default', annotations: { 'simulate.binnacle.dev/logs': 'one\ntwo <b>three</b>' } },
      spec: { containers: [{ name: 'c', image: 'nginx' }] }
    })
    await client.untyped('v1', 'ConfigMap').create({
      ...map('of-talks'),
      metadata: {
        name: 'of-talks',
        namespace: 'default',
        ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name: 'talks', uid: (await pods.get('talks')).metadata.uid }]
      }
    })
    const page = await openConsole(browser, server, { path: 'object/core/pods/default/talks/logs' })
    await page.getByText('two <b>three</b>').waitFor()
    await page.getByRole('link', { name: 'Related' }).click()
    await page.getByRole('link', { name: 'of-talks' }).waitFor()
    await picture(page, 'related')
    await page.getByRole('link', { name: 'Terminal' }).click()
    await page.getByRole('button', { name: 'Start' }).click()
    const screen = page.locator('.xterm-accessibility-tree')
    await screen.getByText('/ #').waitFor({ state: 'attached' })
    await page.keyboard.type('hostname\n')
    await screen.getByText('talks', { exact: true }).waitFor({ state: 'attached' })
    await page.keyboard.type('exit\n')
    await page.getByText('The program has ended').waitFor()
    await page.getByRole('link', { name: 'Faults' }).click()
    await page.getByRole('row').filter({ hasText: 'readiness' }).getByRole('button', { name: 'Cause' }).click()
    await page.getByRole('button', { name: 'End' }).waitFor()
    await page.getByRole('link', { name: 'Summary' }).click()
    await page
      .getByRole('row', { name: /^Ready/ })
      .getByText('False')
      .waitFor()
    await close(page)
  })

  test('shows requests as they come, with the record of each', async () => {
    const page = await openConsole(browser, server, { path: 'requests' })
    await server.inject({ url: '/api/v1/namespaces/default/secrets/hidden', user: { name: 'bob', groups: [] } })
    await page.getByRole('gridcell', { name: '/api/v1/namespaces/default/secrets/hidden' }).click()
    await page.getByText('User "bob" cannot get resource "secrets"').waitFor()
    await picture(page, 'requests')
    await page.getByRole('link', { name: 'Why?' }).click()
    await page.getByText('bob may not get secrets').waitFor()
    await close(page)
  })

  test('explains what admission does, and what the rules of a definition cost', async () => {
    const open = await openConsole(browser, server)
    await client.apply(`apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: costly.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: costly, kind: Costly}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties: {spec: {type: object, properties: {names: {type: array, maxItems: 100, items: {type: string, maxLength: 20}}}, x-kubernetes-validations: [{rule: "self.names.all(n, n != 'x')"}]}}`)
    const page = await openConsole(browser, server, { path: 'create' })
    await write(
      page,
      'apiVersion: v1\nkind: Pod\nmetadata:\n  name: explained\nspec:\n  containers:\n  - name: c\n    image: nginx\n'
    )
    await page.getByRole('button', { name: 'What admission does' }).click()
    await page.getByText('Pod explained passes').waitFor()
    await page
      .getByRole('row', { name: /ServiceAccount plugin/ })
      .getByText('serviceAccountName')
      .waitFor()
    await visit(page, server, 'object/apiextensions.k8s.io/customresourcedefinitions/-/costly.example.com/costs')
    await page.getByText("self.names.all(n, n != 'x')").first().waitFor()
    await picture(page, 'costs')
    // a page that was open before the definition came has its kind, too
    await open.getByText('example.com', { exact: true }).waitFor()
    await close(open)
    await close(page)
  })

  test('moves the time, causes faults and goes back to a snapshot, with the test API', async () => {
    const tested = await startServer({ testApi: true })
    try {
      const page = await openConsole(browser, tested, { path: 'testing' })
      await page.getByRole('button', { name: 'Let it stand still' }).click()
      await page.getByText('stands still').waitFor()
      const before = Date.parse(await page.getByLabel('Clock').locator('strong').textContent())
      await page.getByRole('button', { name: '+ 1h' }).click()
      await page.waitForFunction(
        then => Date.parse(document.querySelector('[aria-label=Clock] strong').textContent) >= then + 3_600_000,
        before
      )
      await page.getByLabel('Name of the snapshot').fill('here')
      await page.getByRole('button', { name: 'Take a snapshot' }).click()
      await page.getByRole('button', { name: 'Go back to it' }).waitFor()
      const maps = tested.client().of('v1', 'ConfigMap')
      await maps.create({ metadata: { name: 'later' } })
      await page.getByRole('button', { name: 'The next update is a conflict' }).click()
      await page.getByRole('button', { name: 'End it' }).waitFor()
      await assert.rejects(maps.patch('later', { data: { a: 'b' } }), /has been modified/)
      await page.getByRole('button', { name: 'Go back to it' }).click()
      await page.getByText('Nothing goes wrong on purpose').waitFor()
      assert.equal(await maps.find('later'), undefined)
      await checkAccessibility(page, 'testing')
      await picture(page, 'testing')
      await close(page)
    } finally {
      await tested.stop()
    }
  })

  for (const colorScheme of ['light', 'dark'])
    test(`has nothing that hinders people, ${colorScheme}`, async () => {
      const page = await openConsole(browser, server, { colorScheme })
      const paths = [
        '',
        'list/core/configmaps',
        'object/core/configmaps/default/edited',
        'object/core/configmaps/default/edited/yaml',
        'object/core/configmaps/default/edited/events',
        'object/core/configmaps/default/edited/related',
        'object/core/configmaps/default/edited/history',
        'object/core/pods/default/talks/logs',
        'object/core/pods/default/talks/terminal',
        'object/core/nodes/-/node-0/faults',
        'schema/core/pods',
        'access?user=alice&verb=create&resource=secrets&namespace=default',
        'cluster',
        'create',
        'past?kind=configmaps',
        'requests',
        'server'
      ]
      for (const path of paths) {
        await visit(page, server, path)
        await page.waitForTimeout(300)
        await checkAccessibility(page, path)
        await picture(page, `${colorScheme}-${path.replaceAll(/\W+/g, '-')}`)
      }
      await close(page)
    })

  test('fits a phone', async () => {
    const page = await openConsole(browser, server, { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true })
    for (const path of [
      '',
      'list/core/pods',
      'object/core/pods/default/talks',
      'access',
      'cluster',
      'requests',
      'server',
      'create'
    ]) {
      await visit(page, server, path)
      // a browser of a phone shows a wider page smaller, and calls its own width the page's
      const wide = await page.evaluate(() => Math.max(document.documentElement.scrollWidth, innerWidth))
      assert.ok(wide <= 360, `${path} is ${wide} wide on a screen of 360`)
      const main = await page.evaluate(() => {
        const { scrollWidth, clientWidth } = document.querySelector('main')
        return { scrollWidth, clientWidth }
      })
      assert.ok(main.scrollWidth <= main.clientWidth, `${path}: the content is ${main.scrollWidth} wide in ${main.clientWidth}`)
      await picture(page, `phone-${path.replaceAll(/\W+/g, '-')}`)
    }
    await page.getByRole('button', { name: 'Menu' }).click()
    await page.getByRole('link', { name: 'Deployments' }).click()
    await page.getByRole('heading', { name: 'Deployments' }).waitFor()
    await close(page)
  })
})
