°ûoöØ:±tOMukÐÓkJ„Š*|øRÙZvç$¬ÃkŒnìNÏ@ÜOƒÍ€IÃfÞºv€ ÀN“
