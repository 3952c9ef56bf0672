import { Button } from '@mantine/core'
import { useState } from 'react'
import { DeviceNotices } from '#features/push/web/index.ts'
import { askForNotices, noticeState } from '#web/alerts/notices.ts'
import { play, unlock } from '#web/alerts/sounds.ts'
import { SOUNDS, type Sound } from '#web/alerts/tones.ts'
import { usePreferences, wishes } from '#web/preferences.ts'
import { isSettingOn, useMay } from '#web/session/permissions.ts'
import { t } from '#web/t.ts'
import { PlayIcon } from '#web/ui/icons.ts'
import { Notice, SwitchGroup, SwitchRow } from '#web/ui/inputs/fields.tsx'
import { Card } from '#web/ui/layout/page.tsx'
import css from './profile.module.css'
import { QuietHours } from './QuietHours.tsx'
import { savePreference } from './save-preference.ts'

const desktopNotices = t('Avisos na área de trabalho')

const labels = {
  ticket: {
    name: t('Atendimento novo'),
    effect: t('Quando chega a uma fila que você vê, ou passa a ser seu.'),
  },
  message: { name: t('Mensagem'), effect: t('De clientes nos seus atendimentos.') },
  mention: { name: t('Menção'), effect: t('Uma nota interna com o seu nome.') },
} as const satisfies Record<Sound, { name: string; effect: string }>

/** Section with the user's sounds and notifications; changes apply at once on every device. */
export function OwnAlerts() {
  useMay() // drawn again when the company's settings change
  const preferences = usePreferences()
  return (
    <Card title={t('Sons e avisos')}>
      <div className={css.fields}>
        {!isSettingOn('notificationSilenced') && (
          <Notice tone="info">{t('A empresa desligou as notificações sonoras.')}</Notice>
        )}
        <SwitchGroup>
          {SOUNDS.map((sound) => {
            const { name, effect } = labels[sound]
            return (
              <SwitchRow
                key={sound}
                name={name}
                effect={effect}
                checked={preferences[wishes[sound]]}
                onChange={(next) =>
                  savePreference(wishes[sound], t('Som de {name}', { name: name.toLowerCase() }), next)
                }
                tool={<Listen sound={sound} volume={preferences.volume} />}
              />
            )
          })}
        </SwitchGroup>
        <Volume saved={preferences.volume} />
        <QuietHours preferences={preferences} />
        <DesktopNotices isWanted={preferences.notices} />
        <DeviceNotices />
      </div>
    </Card>
  )
}

function playNow(sound: Sound, volume: number): void {
  unlock()
  void play(sound, volume)
}

function Listen({ sound, volume }: { sound: Sound; volume: number }) {
  return (
    <Button
      variant="default"
      size="sm"
      leftSection={<PlayIcon size={14} />}
      onClick={() => playNow(sound, volume)}
      aria-label={t('Ouvir: {name}', { name: labels[sound].name })}
    >
      {t('Ouvir')}
    </Button>
  )
}

/** Volume slider of all sounds; releasing it saves the value and plays a sound. */
function Volume({ saved }: { saved: number }) {
  const [moving, setMoving] = useState<number>()
  const volume = moving ?? saved
  const letGo = () => {
    if (moving === undefined) return
    setMoving(undefined)
    if (moving === saved) return
    savePreference('volume', t('Volume'), moving)
    playNow('message', moving)
  }
  return (
    <label className={css.volume}>
      <span>{t('Volume')}</span>
      <input
        type="range"
        min={0}
        max={100}
        step={5}
        value={volume}
        aria-valuetext={`${volume}%`}
        onChange={(event) => setMoving(event.currentTarget.valueAsNumber)}
        onPointerUp={letGo}
        onKeyUp={letGo}
        onBlur={letGo}
      />
      <output>{volume}%</output>
    </label>
  )
}

const refusals = {
  denied: t(
    'Este navegador bloqueou os avisos deste endereço. Clique no ícone à esquerda do endereço, permita “Notificações” e ligue de novo.',
  ),
  default: t('Este navegador ainda não foi autorizado: ligue e responda “Permitir” quando ele perguntar.'),
}

/** Switch of desktop notifications; only this switch requests the browser's permission. */
function DesktopNotices({ isWanted }: { isWanted: boolean }) {
  const [state, setState] = useState(noticeState)
  const [isAsked, setAsked] = useState(false)
  const turn = async (next: boolean) => {
    if (!next) return savePreference('notices', desktopNotices, false)
    const now = await askForNotices()
    setState(now)
    setAsked(true)
    if (now === 'granted') savePreference('notices', desktopNotices, true)
  }
  const refusal = state === 'denied' || state === 'default' ? refusals[state] : undefined
  return (
    <>
      <SwitchGroup>
        <SwitchRow
          name={desktopNotices}
          effect={
            state === 'none'
              ? t('Este navegador só mostra avisos em endereços https.')
              : t('Nome e mensagem, enquanto o Guichê está aberto e não à vista; um clique abre a conversa.')
          }
          disabled={state === 'none'}
          checked={isWanted && state === 'granted'}
          onChange={(next) => void turn(next)}
        />
      </SwitchGroup>
      {refusal && (isAsked || isWanted) && <Notice tone="warn">{refusal}</Notice>}
    </>
  )
}
