import { Drawer } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { howToInstall } from '#kit/how-to-install.ts'
import { channelType } from '#providers/channels/configs.ts'
import { t } from '#web/t.ts'
import { ArrowRightIcon } from '#web/ui/icons.ts'
import { channelLook } from '#web/ui/identity/channels.ts'
import css from './connections.module.css'

/** Which channel the new connection is to: those that the plan permits; some are made on a screen of their own. */
export function ChannelChoice(props: {
  types: readonly string[]
  /** Those that the installation has not what they need for. */
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
  return (
    <Drawer opened onClose={onClose} position="right" size={480} zIndex={50} title={t('Adicionar canal')} padding={24}>
      <p className="g-help">{t('Por onde as conversas chegam?')}</p>
      <ul className={css.choice}>
        {types.map((type) => {
          const { Icon, color, name } = channelLook(type)
          const { screen, needs } = channelType(type)?.config ?? {}
          return (
            <li key={type}>
              <button type="button" onClick={() => choose(type)}>
                <span className={css.tile} style={{ color }}>
                  <Icon size={23} />
                </span>
                <span>
                  <b>{name}</b>
                  {needs && missing.includes(type) && <small>{howToInstall(needs)}</small>}
                  {screen && <small>{t('Abre a tela própria deste canal')}</small>}
                </span>
                <ArrowRightIcon size={17} />
              </button>
            </li>
          )
        })}
      </ul>
    </Drawer>
  )
}
