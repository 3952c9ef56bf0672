import './styles.ts'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { createRoot } from 'react-dom/client'
import { isAsking } from './api.ts'
import { queryClient } from './client.ts'
import { applyColors } from './colors.ts'
import { onResync, openConnection, startFeed } from './realtime/realtime.ts'
import { loginNeeded, saveArrival, stored, token } from './session/session.ts'
import { router } from './shell/router.tsx'
import { screenAt } from './shell/screens.ts'
import { boot } from './start/boot.ts'
import { leaveFor, startPage } from './start/start.ts'
import { Confirms } from './ui/feedback/confirm.tsx'
import { Overlay } from './ui/feedback/overlay.tsx'
import { Ui } from './ui/Ui.tsx'

const element = document.getElementById('root') as HTMLElement
const leave = (url: string) => location.replace(url)

const drawnAtLatestMs = 3000

// The first screen and its reads have the network and the processor for themselves; everything invisible starts
// afterwards.
const drawn = new Promise<void>((resolve) => {
  const stop = router.subscribe('onRendered', () => {
    stop()
    const look = () => requestAnimationFrame(() => setTimeout(() => (isAsking() ? look() : resolve())))
    look()
  })
  setTimeout(resolve, drawnAtLatestMs)
})

function colors(): void {
  const own = stored<Record<string, string>[]>('storedColors') ?? []
  applyColors(own.length > 0 ? own : boot.colors)
}

function session(): void {
  if (token()) return
  saveArrival(location.pathname === '/' ? undefined : loginNeeded, true)
  throw leaveFor('/login')
}

function connect(): void {
  const reload = () => void queryClient.invalidateQueries()
  onResync(reload)
  void Promise.all([startFeed(reload), drawn]).then(() => void (token() && openConnection()))
}

// Activates the screen's preloaded style sheets after the frame's: its code would load each again, and wait once more.
function sheets(): void {
  for (const link of document.querySelectorAll<HTMLLinkElement>('link[rel=preload][as=style]'))
    if (performance.getEntriesByName(link.href).length > 0)
      document.head.append(Object.assign(link, { rel: 'stylesheet' }))
}

function product(): void {
  sheets()
  // Loads the screen's code while its frame is drawn.
  if (token())
    void screenAt(location.pathname)
      ?.load()
      .catch(() => {})
  createRoot(element).render(
    <Ui>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
        <Confirms />
        <Overlay />
      </QueryClientProvider>
    </Ui>,
  )
}

async function gallery(): Promise<void> {
  const { Gallery } = await import('./ui/Gallery.tsx')
  // There is no server to read from.
  const unread = new QueryClient({ defaultOptions: { queries: { enabled: false } } })
  createRoot(element).render(
    <Ui>
      <QueryClientProvider client={unread}>
        <Gallery />
        <Confirms />
        <Overlay />
      </QueryClientProvider>
    </Ui>,
  )
}

function rest(): void {
  void drawn.then(() => import('./start/afterwards.ts')).then(({ afterwards }) => startPage(afterwards, leave))
}

const modules = [
  { name: 'colors', start: colors },
  { name: 'session', start: session },
  { name: 'line', start: connect },
  { name: 'interface', start: product },
  { name: 'rest', start: rest },
]

if (import.meta.env.DEV && location.pathname === '/ui') {
  colors()
  void gallery()
} else void startPage(modules, leave)
