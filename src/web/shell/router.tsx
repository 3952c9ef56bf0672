import { createRootRoute, createRoute, createRouter, lazyRouteComponent, redirect } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { landing, rootTarget } from '#domain/access/menu.ts'
import { screens } from '../features.tsx'
import { goToLogin, loginNeeded, token, viewer } from '../session/session.ts'
import { t } from '../t.ts'
import { notify } from '../ui/feedback/notify.tsx'
import { SkeletonRows } from '../ui/feedback/skeleton.tsx'
import { Denied, ErrorPage, NotFound } from '../ui/feedback/states.tsx'
import { Page, PageHeader } from '../ui/layout/page.tsx'
import { requirePermissions } from './account.ts'
import { registerRouter } from './route.ts'
import { Shell } from './Shell.tsx'
import { mayEnter, refuge, type Screen, screenAt } from './screens.ts'

const root = createRootRoute({
  component: Shell,
  notFoundComponent: () => <NotFound home="/" />,
  beforeLoad: ({ location }) => {
    if (token()) return requirePermissions()
    goToLogin(location.pathname === '/' ? undefined : loginNeeded, true)
    return new Promise<void>(() => {}) // the page is leaving; nothing may be drawn or asked meanwhile
  },
})

/** Refuses a screen that the user may not open: shows a red toast at the top, and redirects. */
function guard(screen: Screen, path: string): void {
  if (mayEnter(screen, path)) return
  // The superadmin's home is the list of tenants (specification §6): a redirect, not a refusal.
  const isHome = screen.path === '/home' && viewer().profile === 'superadmin'
  if (isHome) throw redirect({ to: screenAt('/tenants') ? '/tenants' : landing('superadmin'), replace: true })
  notify({ id: 'denied', tone: 'neg', title: t('Acesso negado') })
  throw redirect({ to: refuge(screens) ?? '/', replace: true })
}

function Waiting(): ReactNode {
  return (
    <Page>
      <PageHeader title="" />
      <SkeletonRows kind="table" />
    </Page>
  )
}

const screenRoutes = screens.map((screen) => {
  const parent = createRoute({
    getParentRoute: () => root,
    path: screen.path,
    component: lazyRouteComponent(async () => ({ default: await screen.load() })),
    beforeLoad: ({ location }) => guard(screen, location.pathname),
  })
  const children = (screen.children ?? []).map((path) => createRoute({ getParentRoute: () => parent, path }))
  return children.length > 0 ? parent.addChildren(children) : parent
})

const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: () => {
    const first = rootTarget(viewer().profile)
    const screen = screenAt(first)
    const target = screen && mayEnter(screen) ? first : refuge(screens)
    if (target) throw redirect({ to: target, replace: true })
  },
  component: () => <Denied home="/login" />,
})

const detours = screens
  .flatMap(({ redirects = {} }) => Object.entries(redirects))
  .map(([from, to]) =>
    createRoute({
      getParentRoute: () => root,
      path: from,
      beforeLoad: () => {
        throw redirect({ to, replace: true })
      },
    }),
  )

/** Router, generated from the screens table. */
export const router = createRouter({
  routeTree: root.addChildren([home, ...screenRoutes, ...detours]),
  defaultPreload: 'intent',
  defaultPendingComponent: Waiting,
  defaultPendingMs: 200,
  defaultPendingMinMs: 0, // what waits is there at once when it comes
  defaultErrorComponent: ({ reset }) => <ErrorPage reset={reset} />,
  defaultNotFoundComponent: () => <NotFound home="/" />,
  trailingSlash: 'preserve',
  scrollRestoration: false,
})
registerRouter(router)
