import { Drawer } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useId } from 'react'
import { howToInstall } from '#kit/how-to-install.ts'
import { channelType } from '#providers/channels/configs.ts'
import { t } from '#web/t.ts'
import { ArrowRightIcon } from '#web/ui/icons.ts'
import { ChannelTile } from '#web/ui/identity/ChannelTile.tsx'
import { channelLook } from '#web/ui/identity/channels.ts'
import css from './connections.module.css'

/** Choice of the channel of a new connection among those of the plan; some are set up on their own screen. */
export function ChannelChoice(props: {
  types: readonly string[]
  /** Types whose package is not installed. */
  missing: readonly string[]
  onChoose: (type: string) => void
  onClose: () => void
}) {
  const { types, missing, onChoose, onClose } = props
  const navigate = useNavigate()
  const choose = (type: string) => {
    const screen = channelType(type)?.config.screen
    if (screen) void navigate({ to: screen })
    else onChoose(type)
  }
  const about = (type: string) => channelType(type)?.config.about
  const official = types.filter((type) => about(type)?.isOfficial)
  const groups = [
    { name: t('Oficiais'), types: official },
    { name: t('Por QR Code e outros'), types: types.filter((type) => !official.includes(type)) },
  ].filter((group) => group.types.length > 0)
  return (
    <Drawer opened onClose={onClose} position="right" size={540} zIndex={50} title={t('Adicionar canal')} padding={24}>
      <p className="g-help">{t('Por onde as conversas chegam?')}</p>
      {groups.map((group) => (
        <section key={group.name} aria-label={group.name}>
          <h3 className={css.kind}>{group.name}</h3>
          <ul className={css.choice}>
            {group.types.map((type) => (
              <Choice
                key={type}
                type={type}
                isFirst={type === groups[0]?.types[0]}
                isMissing={missing.includes(type)}
                onChoose={() => choose(type)}
              />
            ))}
          </ul>
        </section>
      ))}
    </Drawer>
  )
}

function Choice(props: { type: string; isFirst: boolean; isMissing: boolean; onChoose: () => void }) {
  const { type, isFirst, isMissing, onChoose } = props
  const { name } = channelLook(type)
  const id = useId()
  const { needs, about } = channelType(type)?.config ?? {}
  return (
    <li>
      <ChannelTile type={type} />
      <div>
        <button type="button" data-autofocus={isFirst || undefined} aria-describedby={id} onClick={onChoose}>
          {name}
        </button>
        <div id={id}>
          {about && (
            <>
              {t(about.does)}
              <small>{t('Você precisa de: {asks}', { asks: t(about.asks) })}</small>
              <small>{t('Leva cerca de {time}.', { time: t(about.takes) })}</small>
            </>
          )}
          {needs && isMissing && <small>{howToInstall(needs)}</small>}
        </div>
      </div>
      <ArrowRightIcon size={17} />
    </li>
  )
}
