import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { t } from '../../t.ts'
import { RefreshIcon } from '../icons.ts'
import { ThreeArches } from '../identity/mark.tsx'
import css from './states.module.css'

type Step = { label: string; run: () => void; icon?: ReactNode }

/** Empty state with the next step: one sentence, one primary step, one secondary. */
export function EmptyState(props: { title: string; text: ReactNode; step?: Step; other?: Step }) {
  const { title, text, step, other } = props
  return (
    <div className={css.empty}>
      <ThreeArches />
      <h2 className="g-title">{title}</h2>
      <p>{text}</p>
      {(step || other) && (
        <div className={css.steps}>
          {step && (
            <Button onClick={step.run} leftSection={step.icon}>
              {step.label}
            </Button>
          )}
          {other && (
            <Button variant="default" onClick={other.run} leftSection={other.icon}>
              {other.label}
            </Button>
          )}
        </div>
      )}
    </div>
  )
}

/** Error of a list that could not be read, with a retry. */
export function LoadError({ text, retry }: { text: string; retry: () => void }) {
  return (
    <EmptyState
      title={t('Não foi possível carregar')}
      text={text}
      step={{ label: t('Tentar de novo'), run: retry, icon: <RefreshIcon size={17} /> }}
    />
  )
}

/** The 404 page. */
export function NotFound({ home }: { home: string }) {
  return (
    <main className={css.page}>
      <EmptyState
        title={t('Esta página não existe')}
        text={t('O endereço pode ter mudado ou ter sido digitado com um erro.')}
        step={{ label: t('Ir para o início'), run: () => location.assign(home) }}
      />
    </main>
  )
}

/** Page body of a screen without permission. */
export function Denied({ home }: { home: string }) {
  return (
    <main className={css.page}>
      <EmptyState
        title={t('Acesso negado')}
        text={t('Você não tem permissão para acessar essa página. Fale com o administrador da sua empresa.')}
        step={{ label: t('Voltar'), run: () => location.assign(home) }}
      />
    </main>
  )
}

/** Error page in place of a screen that failed to render; `reset` tries again. */
export function ErrorPage({ reset }: { reset: () => void }) {
  return (
    <main className={css.page}>
      <EmptyState
        title={t('Esta tela parou de funcionar')}
        text={t('O restante do sistema segue no ar e nada do que você salvou foi perdido.')}
        step={{ label: t('Abrir de novo'), run: reset, icon: <RefreshIcon size={17} /> }}
        other={{ label: t('Recarregar a página'), run: () => location.reload() }}
      />
    </main>
  )
}
