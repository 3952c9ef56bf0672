import './styles-app.ts'
import { createRoot } from 'react-dom/client'
import { boot } from './boot.ts'
import { applyColors } from './colors.ts'
import { Confirms } from './ui/confirm.tsx'
import { Gallery } from './ui/gallery.tsx'
import { Ui } from './ui/provider.tsx'

applyColors(boot.colors)
createRoot(document.getElementById('root') as HTMLElement).render(
  <Ui>
    <Gallery />
    <Confirms />
  </Ui>,
)
