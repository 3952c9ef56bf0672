import { type ComponentType, Suspense } from 'react'
import { lazyPart } from '../../lazy-part.ts'

type Icons = typeof import('./rare-channel-icons.ts').icons
type Icon = ComponentType<{ size?: number | string }>

// Loaded with the first of them that is drawn: few companies have such channels, and every first screen would carry them.
function rare(pick: (icons: Icons) => Icon): Icon {
  const Drawn = lazyPart<Icon>(async () => pick((await import('./rare-channel-icons.ts')).icons))
  return ({ size = 24 }) => (
    <Suspense fallback={<svg width={size} height={size} aria-hidden="true" />}>
      <Drawn size={size} />
    </Suspense>
  )
}

/** Icons of channels that few companies have. */
export const rareIcons = {
  hub: rare(({ hub }) => hub),
  store: rare(({ store }) => store),
  linkedin: rare(({ linkedin }) => linkedin),
  twitter: rare(({ twitter }) => twitter),
  tiktok: rare(({ tiktok }) => tiktok),
  youtube: rare(({ youtube }) => youtube),
}
