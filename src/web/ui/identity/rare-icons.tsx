import { type ComponentType, Suspense } from 'react'
import { lazyPart } from '../../lazy-part.ts'

type Name = keyof typeof import('./rare-channel-icons.ts').icons
type Icon = ComponentType<{ size?: number | string }>

// They come with the first of them that is drawn: few companies have any, and every first screen would carry them.
function rare(name: Name): Icon {
  const Drawn = lazyPart<Icon>(async () => (await import('./rare-channel-icons.ts')).icons[name])
  return ({ size = 24 }) => (
    <Suspense fallback={<svg width={size} height={size} aria-hidden="true" />}>
      <Drawn size={size} />
    </Suspense>
  )
}

/** Icons of channels that few companies have. */
export const rareIcons = {
  ...{ hub: rare('hub'), store: rare('store'), linkedin: rare('linkedin') },
  ...{ twitter: rare('twitter'), tiktok: rare('tiktok'), youtube: rare('youtube') },
}
