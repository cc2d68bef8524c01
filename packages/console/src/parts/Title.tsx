import { useEffect, useRef } from "preact/hooks"
import { takeArrival } from "../data/route.ts"

/** The heading of a page, and the title of the browser's tab. It gets the focus when the page is opened from another one. */
export const Title = ({ children }: { readonly children: string }) => {
  const element = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (takeArrival()) element.current?.focus()
  }, [])
  useEffect(() => {
    document.title = `${children} – Headgate`
  }, [children])
  return (
    <h1 ref={element} tabIndex={-1}>
      {children}
    </h1>
  )
}
