-- Bidding systems (.bid files) in Neovim 0.11 or later: put this file into lua/ of the
-- configuration and write `require("bidwright")` in init.lua.
--
-- Colours come from the server's semantic tokens, so no syntax file is needed.

vim.filetype.add({ extension = { bid = "bid" } })

vim.lsp.config("bidwright", {
  cmd = { "bidwright", "lsp" },
  filetypes = { "bid" },
  root_markers = { ".git", "system.bid" },
})
vim.lsp.enable("bidwright")

vim.api.nvim_create_autocmd("FileType", {
  pattern = "bid",
  callback = function()
    vim.bo.commentstring = "# %s"
    vim.bo.expandtab = true
    vim.bo.shiftwidth = 2
    vim.bo.softtabstop = 2
  end,
})

-- The lenses "deal hands" and "run": shown in the text, run with `grl`.
vim.api.nvim_create_autocmd({ "LspAttach", "InsertLeave", "BufWritePost" }, {
  pattern = "*.bid",
  callback = function(event)
    vim.lsp.codelens.refresh({ bufnr = event.buf })
    vim.keymap.set("n", "grl", vim.lsp.codelens.run, { buffer = event.buf, desc = "Run the lens" })
  end,
})
