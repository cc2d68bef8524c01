import "./data/takeCode.ts"
import { render } from "preact"
import "./style/console.css"
import "./style/plainTable.css"
import "./style/dialog.css"
import "./style/chart.css"
import "./style/form.css"
import "./style/pipe.css"
import "./style/table.css"
import "./style/shell.css"
import "./style/pipes.css"
import "./style/create.css"
import "./style/dashboards.css"
import "./style/editor.css"
import { App } from "./App.tsx"
import { openLink } from "./data/signIn.ts"

void openLink()
const place = document.querySelector("#console")
if (place !== null) render(<App />, place)
