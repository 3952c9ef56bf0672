import './styles.ts'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { createRoot } from 'react-dom/client'
import { boot } from './boot.ts'
import { queryClient } from './client.ts'
import { applyColors } from './colors.ts'
import { onResync, openLine, takePlace } from './realtime.ts'
import { router } from './router.tsx'
import { stored, token } from './session.ts'
import { Confirms } from './ui/confirm.tsx'
import { Overlay } from './ui/overlay.tsx'
import { Ui } from './ui/provider.tsx'

const readAgain = () => void queryClient.invalidateQueries()

async function gallery(element: HTMLElement): Promise<void> {
  const { Gallery } = await import('./ui/gallery.tsx')
  createRoot(element).render(
    <Ui>
      <Gallery />
      <Confirms />
    </Ui>,
  )
}

function product(element: HTMLElement): void {
  if (token()) {
    onResync(readAgain)
    void takePlace(readAgain).then(() => token() && openLine())
  }
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

const element = document.getElementById('root') as HTMLElement
const own = stored<Record<string, string>[]>('storedColors') ?? []
applyColors(own.length > 0 ? own : boot.colors)
if (import.meta.env.DEV && location.pathname === '/ui') void gallery(element)
else product(element)
