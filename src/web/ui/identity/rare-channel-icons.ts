import { HubIcon, LinkedinIcon, StoreIcon, TiktokIcon, TwitterIcon, YoutubeIcon } from '../icons.ts'

/** The icons themselves. */
export const icons = {
  ...{ hub: HubIcon, store: StoreIcon, linkedin: LinkedinIcon },
  ...{ twitter: TwitterIcon, tiktok: TiktokIcon, youtube: YoutubeIcon },
}
