import * as Picker from 'emoji-picker-react/primitives'
import { t } from '#web/t.ts'
import css from './composer.module.css'

const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? ''

/** The emoji of the system inside the composer, searched in Portuguese; picker and names are loaded when first opened. */
export function Emoji({ onPick }: { onPick: (emoji: string) => void }) {
  const isDark = document.documentElement.dataset['mantineColorScheme'] === 'dark'
  return (
    <Picker.Root
      className={css.emoji ?? ''}
      appearance="default"
      colorScheme={isDark ? 'dark' : 'light'}
      emojiData={() => import('emoji-picker-react/data/emojis-pt')}
      emojiStyle={Picker.EmojiStyle.NATIVE}
      suggestedEmojisMode={Picker.SuggestionMode.RECENT}
      searchPlaceholder={t('Buscar emoji')}
      searchClearButtonLabel={t('Limpar busca')}
      nonce={nonce}
      onEmojiClick={({ emoji }) => onPick(emoji)}
    >
      <Picker.Search />
      <Picker.CategoryNav />
      <Picker.Viewport>
        <Picker.List />
        <Picker.Empty>{t('Nenhum emoji com esse nome.')}</Picker.Empty>
        <Picker.LoadError />
      </Picker.Viewport>
    </Picker.Root>
  )
}
