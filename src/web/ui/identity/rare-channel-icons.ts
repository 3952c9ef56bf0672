import { HubIcon, LinkedinIcon, StoreIcon, TiktokIcon, TwitterIcon, YoutubeIcon } from '../icons.ts'

/** Icon components by name. */
export const icons = {
  ...{ hub: HubIcon, store: StoreIcon, linkedin: LinkedinIcon },
  ...{ twitter: TwitterIcon, tiktok: TiktokIcon, youtube: YoutubeIcon },
}
