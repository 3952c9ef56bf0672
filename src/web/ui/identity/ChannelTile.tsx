import css from './channel-tile.module.css'
import { channelLook } from './channels.ts'

/** The icon of a type of channel on a tile of its hue. */
export function ChannelTile({ type }: { type: string }) {
  const { Icon, color } = channelLook(type)
  return (
    <span className={css.tile} style={{ color }}>
      <Icon size={23} />
    </span>
  )
}
