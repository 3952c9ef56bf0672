import EmojiPicker, { EmojiStyle, SuggestionMode, Theme } from 'emoji-picker-react'
import pt from 'emoji-picker-react/data/emojis-pt'
import css from './composer.module.css'

const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? ''

/** The emoji of the system inside the composer, searched in Portuguese; loaded when first opened. */
export function Emoji({ onPick }: { onPick: (emoji: string) => void }) {
  const dark = document.documentElement.dataset['mantineColorScheme'] === 'dark'
  return (
    <EmojiPicker
      className={css.emoji ?? ''}
      emojiData={pt}
      emojiStyle={EmojiStyle.NATIVE}
      theme={dark ? Theme.DARK : Theme.LIGHT}
      suggestedEmojisMode={SuggestionMode.RECENT}
      nonce={nonce}
      width="100%"
      height={300}
      lazyLoadEmojis
      skinTonesDisabled
      searchPlaceHolder="Buscar emoji"
      previewConfig={{ showPreview: false }}
      onEmojiClick={({ emoji }) => onPick(emoji)}
    />
  )
}
