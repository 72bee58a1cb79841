# does: runs commands that plant files and kill the kernel
# verdict: graded
# earns: 0
# says: ended itself
commands = """
for folder in /usr /etc /kernel /submission "$HOME" /tmp
do
    echo planted > "$folder/planted"
done
(sleep 20 &)
kill -9 $PPID
"""
get_ipython().run_cell_magic("bash", "", commands)
