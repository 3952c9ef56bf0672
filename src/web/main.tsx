import './styles.ts'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { createRoot } from 'react-dom/client'
import { boot } from './boot.ts'
import { queryClient } from './client.ts'
import { startClocks } from './clocks.ts'
import { applyColors } from './colors.ts'
import { watchIdle } from './idle.ts'
import { onResync, openLine, takePlace } from './realtime.ts'
import { watchReloads } from './reloads.ts'
import { router } from './router.tsx'
import { keepArrival, loginNeeded, stored, token } from './session.ts'
import { checkHours, readOwnAgain } from './shell/account.ts'
import { leaveFor, startPage } from './start.ts'
import { Confirms } from './ui/confirm.tsx'
import { Overlay } from './ui/overlay.tsx'
import { Ui } from './ui/provider.tsx'

const element = document.getElementById('root') as HTMLElement

function colors(): void {
  const own = stored<Record<string, string>[]>('storedColors') ?? []
  applyColors(own.length > 0 ? own : boot.colors)
}

function session(): void {
  if (token()) return
  keepArrival(location.pathname === '/' ? undefined : loginNeeded, true)
  throw leaveFor('/login')
}

function line(): void {
  const readAgain = () => void queryClient.invalidateQueries()
  onResync(readAgain)
  void takePlace(readAgain).then(() => token() && openLine())
}

function product(): void {
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
  const { Gallery } = await import('./ui/gallery.tsx')
  createRoot(element).render(
    <Ui>
      <Gallery />
      <Confirms />
      <Overlay />
    </Ui>,
  )
}

/** After the page has loaded, so that the first screen has the network for itself. */
function worker(): void {
  const register = () => void import('./service-worker.ts').then(({ registerWorker }) => registerWorker())
  if (document.readyState === 'complete') register()
  else addEventListener('load', register, { once: true })
}

const modules = [
  { name: 'colors', start: colors },
  { name: 'session', start: session },
  { name: 'line', start: line },
  { name: 'interface', start: product },
  { name: 'clocks', start: () => startClocks({ readProfile: readOwnAgain, checkHours }) },
  { name: 'idle', start: () => watchIdle() },
  { name: 'reloads', start: watchReloads },
  { name: 'worker', start: worker },
]

if (import.meta.env.DEV && location.pathname === '/ui') {
  colors()
  void gallery()
} else void startPage(modules, (url) => location.replace(url))
