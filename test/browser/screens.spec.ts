import AxeBuilder from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'
import { rootTarget } from '#domain/access/menu.ts'
import { PROFILES, type Profile } from '#domain/access/profiles.ts'
import { can } from '#kit/permissions.ts'
import type { Product } from '#test/product.ts'
import { screens } from '#web/features.tsx'
import type { Screen } from '#web/shell/screens.ts'
import { eachOpening } from './pages/openings.ts'
import { settled, sitDown } from './pages/person.ts'
import { demoPeople, test } from './pages/product.ts'

const titled = (title: string) => new RegExp(`^(\\(\\d+\\) )?${title.replace(/[()]/g, '\\$&')} · Guichê$`)
const isFor = (screen: Screen, profile: Profile) =>
  (!screen.profiles || screen.profiles.includes(profile)) && (screen.can === 'session' || can({ profile }, screen.can))

/** Every address of a screen, its children included; what they are about is the demo's newest open ticket. */
async function addresses(screen: Screen, { platform }: Product): Promise<string[]> {
  const paths = [screen.path, ...(screen.children ?? []).map((child) => `${screen.path}/${child}`)]
  if (!paths.some((path) => path.includes('$'))) return paths
  const ticket = await platform.db.asPlatform((db) =>
    db
      .selectFrom('tickets')
      .select('id')
      .where('status', '=', 'open')
      .orderBy('last_message_at', 'desc')
      .executeTakeFirstOrThrow(),
  )
  return paths.map((path) => path.replace('$ticketId', String(ticket.id)))
}

const heading = (page: Page, name: string) => page.getByRole('heading', { name })

for (const profile of PROFILES) {
  test(`${profile} opens every screen, and is sent away from those of others`, async ({ demo, browser }) => {
    const { context, page, complaints } = await sitDown(browser, demo, demoPeople[profile])
    await page.goto('/')
    await expect(page).toHaveURL(rootTarget(profile))
    for (const screen of screens) {
      for (const address of await addresses(screen, demo)) {
        await test.step(address, async () => {
          // As a link does it; whole page loads of every screen are among the wide tests.
          await page.evaluate((to) => history.pushState({}, '', to), address)
          if (isFor(screen, profile)) {
            await expect(page).toHaveTitle(titled(screen.title))
            await expect(page).toHaveURL(address)
          } else {
            const isWay = address === '/home' && profile === 'superadmin'
            await expect(page).toHaveURL(isWay ? '/tenants' : rootTarget(profile))
            await expect(page.getByText('Acesso negado')).toHaveCount(isWay ? 0 : 1)
            if (!isWay) await page.getByRole('button', { name: 'Fechar aviso' }).click()
          }
          await settled(page)
          await expect(heading(page, 'Esta tela parou de funcionar')).toHaveCount(0)
          await expect(heading(page, 'Não foi possível carregar')).toHaveCount(0)
          expect(complaints.splice(0), address).toEqual([])
        })
      }
    }
    await context.close()
  })
}

test('addresses that do not exist say so and lead home; old ones lead to the new', async ({ demo, browser }) => {
  const { context, page, complaints } = await sitDown(browser, demo, demoPeople.admin)
  await page.goto('/isto-nao-existe')
  await expect(heading(page, 'Esta página não existe')).toBeVisible()
  await page.getByRole('button', { name: 'Ir para o início' }).click()
  await expect(page).toHaveURL(rootTarget('admin'))
  const old = screens
    .filter((screen) => isFor(screen, 'admin'))
    .flatMap(({ redirects = {} }) => Object.entries(redirects))
  expect(old.length).toBeGreaterThan(0)
  for (const [from, to] of old) {
    await page.goto(from)
    await expect(page).toHaveURL(to)
  }
  expect(complaints).toEqual([])
  await context.close()
})

/**
 * The page and the boxes in it that scroll down, where their content is wider than they are: part of it is out of sight.
 * The page itself does not scroll down either: what is below its foot is nothing.
 */
const cutOff = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('*')]
      .filter((box) => {
        const scrollsDown = getComputedStyle(box).overflowY === 'auto' && box.scrollHeight > box.clientHeight
        const isPage = box === document.documentElement
        const isTooTall = isPage && box.scrollHeight > box.clientHeight + 1
        return isTooTall || ((scrollsDown || isPage) && box.scrollWidth > box.clientWidth + 1)
      })
      .map((box) => {
        const [is, has] = [`${box.scrollWidth} × ${box.scrollHeight}`, `${box.clientWidth} × ${box.clientHeight}`]
        return `${box.tagName} ${box.id} ${box.className}: ${is} in ${has}`
      }),
  )

const conformance = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/** What axe finds on the page as it stands, each as a line. */
async function faults(page: Page, where: string, except: string[] = []): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).withTags(conformance).disableRules(except).analyze()
  return violations.map(({ id, nodes }) => `${where} ${id}: ${nodes.map(({ html }) => html).join(' ')}`)
}

/** Menus that look like anything but a list of plain rows: an entry has no border of its own and no gap below it. */
const oddEntries = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('[role^=menuitem], [data-combobox-option]')]
      .filter((one) => {
        const { borderTopWidth, marginBottom, minHeight } = getComputedStyle(one)
        return borderTopWidth !== '0px' || marginBottom !== '0px' || Number.parseFloat(minHeight) < 34
      })
      .map((one) => one.outerHTML.slice(0, 200)),
  )

/** Opens everything that a page can open and gives it to axe. */
const checkOpenings = (page: Page, address: string) =>
  eachOpening(page, async (name) => {
    await settled(page)
    // A list of options is scrolled by the arrow keys of its field, which axe does not see.
    expect.soft(await faults(page, `${address} › ${name}`, ['scrollable-region-focusable'])).toEqual([])
    expect.soft(await oddEntries(page), `${address} › ${name}`).toEqual([])
  })

for (const { width, isPhone, tag } of [
  { width: 1440, isPhone: false, tag: [] as string[] },
  { width: 390, isPhone: true, tag: ['@wide'] },
]) {
  test(`what opens over a page is accessible, and Esc closes it alone: ${width}`, { tag }, async ({
    demo,
    browser,
  }) => {
    test.slow()
    const viewport = { width, height: isPhone ? 844 : 900 }
    const calm = { viewport, hasTouch: isPhone, reducedMotion: 'reduce' } as const
    const { context, page } = await sitDown(browser, demo, demoPeople.admin, calm)
    const [attendance] = screens.filter(({ path }) => path === '/atendimento')
    const conversation = (await addresses(attendance!, demo)).at(-1)!
    for (const address of isPhone ? ['/contatos', conversation] : ['/contatos']) {
      await page.goto(address)
      await settled(page)
      await checkOpenings(page, address)
    }
    await context.close()
  })
}

/** Where everything is opened, too, on every screen. */
const openedOn = new Set(['admin-1440-light', 'admin-390-dark', 'superadmin-1440-dark', 'user-390-light'])

for (const profile of PROFILES) {
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const width of [1440, 390]) {
      const name = `${profile}-${width}-${colorScheme}`
      test(`every screen fits and is accessible: ${name} @wide`, async ({ demo, browser }) => {
        test.setTimeout(600_000)
        const viewport = { width, height: width === 390 ? 844 : 900 }
        const calm = { viewport, colorScheme, hasTouch: width === 390, reducedMotion: 'reduce' } as const
        const { context, page } = await sitDown(browser, demo, demoPeople[profile], calm)
        for (const screen of screens.filter((one) => isFor(one, profile))) {
          for (const address of await addresses(screen, demo)) {
            await test.step(address, async () => {
              await page.goto(address)
              await expect(page).toHaveTitle(titled(screen.title))
              await settled(page)
              const file = `test-results/screens/${address.slice(1).replace(/\W+/g, '-')}-${name}.png`
              await page.screenshot({ path: file })
              expect.soft(await faults(page, address)).toEqual([])
              expect.soft(await cutOff(page), address).toEqual([])
              if (openedOn.has(name)) await checkOpenings(page, address)
            })
          }
        }
        await context.close()
      })
    }
  }
}
